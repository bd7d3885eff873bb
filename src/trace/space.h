/*
 * space.h - a whole trace: its planes, and what stands beside them.
 *
 * The first pass over the input finds the planes, their maps and the places of
 * their lines. Times are picoseconds since the start of the trace, which is 0
 * in the files that profilers write; of lines that count from 1970 instead, the
 * first is the start.
 */
#ifndef TFP_TRACE_SPACE_H
#define TFP_TRACE_SPACE_H

#include "base/reader.h"
#include "base/store.h"
#include "proto/walk.h"
#include "trace/plane.h"

/* Texts of a repeated field: how many, and the first of them. */
enum { TFP_SPACE_TEXTS = 8 };
typedef struct tfp_space_texts {
    int64_t count;
    tfp_span first[TFP_SPACE_TEXTS];
} tfp_space_texts;

typedef struct tfp_space {
    tfp_memory *memory;
    uint64_t seed;
    /* Settings of the first pass: */
    const tfp_store *store;   /* the input, or NULL: planes are held */
    const tfp_reader *reader; /* that the walk reads from */
    /* What was found: */
    TFP_VEC(tfp_plane *) planes;
    TFP_VEC(uint8_t) host; /* the first name of a host */
    tfp_space_texts host_names, errors, warnings;
    tfp_arena texts;      /* theirs */
    int64_t epoch;        /* in nanoseconds: when times begin; mostly 0 */
    int64_t bare_planes;  /* of which only the name is told */
    bool has_bare_device; /* a host or device among those not kept */
    /* While a plane is read; in the end the one that the input ends in: */
    tfp_plane *plane;
} tfp_space;

void tfp_space_init(tfp_space *space, tfp_memory *memory);
void tfp_space_release(tfp_space *space);

/* For the first pass: a walk with the root XSpace. */
tfp_visitor tfp_space_visitor(tfp_space *space);

/* The plane of that name, or NULL. */
tfp_plane *tfp_space_find(const tfp_space *space, const char *name);

#endif
