/*
 * choice.h - what is taken as steps in place of what marks them.
 *
 * Where nothing marks steps, the executions of the program with the most time
 * are the steps. Where there is no program either, it is the event with the
 * most time that one thread repeats. Or the user names the events. All of this
 * is found by looking through the events once more; then they are read again,
 * with the choice.
 */
#ifndef TFP_TRACE_CHOICE_H
#define TFP_TRACE_CHOICE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/error.h"
#include "base/memory.h"
#include "model/inputs.h"
#include "trace/id_map.h"
#include "trace/plane.h"

struct tfp_loading;

typedef enum tfp_choice_kind {
    TFP_CHOICE_NONE,
    TFP_CHOICE_EVENTS, /* events of hosts are roots */
    TFP_CHOICE_SPANS,  /* a step has what begins in its time */
    TFP_CHOICE_RUNS,   /* likewise; instructions say which run they are of */
    TFP_CHOICE_MODULES /* TPUs have a line of the executions */
} tfp_choice_kind;

/* An execution of a program, or an event. */
typedef struct tfp_choice_run {
    const tfp_trace_line *line;
    int64_t metadata; /* id of its event type */
    tfp_string name;  /* of its program */
    int64_t begin, end;
    int64_t program, run; /* ids, if instructions state them */
    int64_t time;
    int64_t number; /* of its step */
} tfp_choice_run;

typedef TFP_VEC(tfp_choice_run) tfp_choice_runs;

typedef struct tfp_step_choice {
    tfp_choice_kind kind;
    tfp_steps_by by;
    tfp_string name;      /* of the program or the event; or 0 */
    int64_t program;      /* its id, with TFP_CHOICE_RUNS */
    tfp_choice_runs runs; /* as they stand in the file, by line */
    tfp_id_map numbers;   /* of steps, by run, with TFP_CHOICE_RUNS */
} tfp_step_choice;

void tfp_choice_release(tfp_step_choice *choice, tfp_memory *memory);

/* Do the planes tell, before their events are read, that events may mark steps?
 * Where none do, events need not be read in vain. */
bool tfp_choice_may_be_marked(const struct tfp_loading *l);

/* Chooses for a trace in which nothing marks steps. The kind stays
 * TFP_CHOICE_NONE if there is nothing to choose, or if there is damage: that is
 * found again when all is read. */
int tfp_choice_search(struct tfp_loading *l, tfprof_error *err);

/* Chooses the events that the user names. Fails if there are none. */
int tfp_choice_ask(struct tfp_loading *l, tfprof_error *err);

/* The step of an event that was chosen as root. `at` counts the chosen events
 * that were read before, and is raised if this is one. */
bool tfp_choice_takes(const tfp_step_choice *choice, const tfp_trace_line *line,
                      const tfp_event *event, size_t *at, int64_t *number);

#endif
