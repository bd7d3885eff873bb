/*
 * machine.c - the machine that recorded a run.
 */
#include "api/machine.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/error.h"
#include "base/escape.h"
#include "input/path/whole_file.h"
#include "model/census.h"
#include "model/inputs.h"
#include "model/steps.h"

/* ---- The processor ------------------------------------------------------ */

/* The text behind "NAME : " in the first line of that name. */
static void find_line(tfp_span text, const char *name, char *out, size_t size)
{
    size_t at = 0;
    while (at < text.size) {
        const uint8_t *line = text.data + at;
        const uint8_t *end = memchr(line, '\n', text.size - at);
        size_t length = end ? (size_t)(end - line) : text.size - at;
        const uint8_t *colon = memchr(line, ':', length);
        if (length > strlen(name) && !memcmp(line, name, strlen(name)) &&
            colon) {
            const uint8_t *value = colon + 1;
            size_t left = length - (size_t)(value - line);
            while (left > 0 && *value == ' ')
                value++, left--;
            tfp_escape_short((tfp_span){ value, left }, out, size);
            return;
        }
        at += length + 1;
    }
}

/* ARM names a processor by numbers. */
static int find_cpu(tfp_machine *machine, tfp_memory *memory, tfprof_error *err)
{
    enum { MOST = 16 << 20 };
    tfp_whole_file file;
    tfprof_error why;
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    int status = tfp_whole_file_read(&file, memory, "/proc/cpuinfo", MOST,
                                     &why);
    machine->cores = cores > 0 ? cores : 0;
    if (status == TFPROF_OK) {
        find_line(file.bytes, "model name", machine->cpu, sizeof(machine->cpu));
        if (!*machine->cpu) {
            char maker[32] = "", part[32] = "";
            find_line(file.bytes, "CPU implementer", maker, sizeof(maker));
            find_line(file.bytes, "CPU part", part, sizeof(part));
            if (*maker && *part)
                snprintf(machine->cpu, sizeof(machine->cpu), "%s %s", maker,
                         part);
        }
    }
    tfp_whole_file_release(&file);
    return status == TFPROF_ERR_NOMEM ? tfp_fail_nomem(err) : TFPROF_OK;
}

/* ---- Lists of names ----------------------------------------------------- */

typedef struct names {
    const tfp_model *model;
    struct {
        tfp_span name;
        size_t count;
    } items[16];
    size_t count;
} names;

static void add_name(names *n, tfp_span name)
{
    if (name.size == 0)
        return;
    for (size_t i = 0; i < n->count; i++) {
        if (tfp_span_equal(n->items[i].name, name)) {
            n->items[i].count++;
            return;
        }
    }
    if (n->count < sizeof(n->items) / sizeof(n->items[0])) {
        n->items[n->count].name = name;
        n->items[n->count++].count = 1;
    }
}

static void join(const names *n, char *out, size_t size)
{
    size_t used = 0;
    for (size_t i = 0; i < n->count && used < size; i++) {
        char number[24] = "";
        if (n->items[i].count > 1)
            snprintf(number, sizeof(number), " x%zu", n->items[i].count);
        used += (size_t)snprintf(
            out + used, size - used, "%s%s%s", i > 0 ? ", " : "",
            tfp_shorten(n->items[i].name, 60).text, number);
    }
    if (used >= size)
        tfp_escape_mark_cut(out, size);
}

/* ---- Accelerators and versions ------------------------------------------ */

/* The GPUs of the first step with run records; these name only its number. */
static void add_devices(names *n)
{
    const tfp_model *model = n->model;
    for (size_t i = 0; i < model->devices.count; i++) {
        const tfp_device *device = &model->devices.data[i];
        tfp_span name = tfp_model_text(model, device->name);
        bool is_gpu = tfp_span_find(name, "GPU:") ||
                      tfp_span_find(name, "gpu:");
        if (device->step == model->devices.data[0].step &&
            device->kind == TFP_EXEC_RUN && is_gpu &&
            !tfp_span_find(name, "stream"))
            add_name(n, tfp_span_of("GPU"));
    }
}

static void add_planes(names *n, const tfp_input_trace *trace)
{
    for (size_t i = 0; i < trace->planes.count; i++) {
        const tfp_input_plane *plane = &trace->planes.data[i];
        tfp_span name = tfp_model_text(n->model, plane->name);
        if (tfp_span_starts(name, "/device:"))
            add_name(n, plane->device ? tfp_model_text(n->model, plane->device)
                                      : name);
    }
}

static void add_version(char *out, size_t size, const char *what, tfp_span text)
{
    char item[160];
    size_t used = strlen(out);
    if (text.size == 0)
        return;
    snprintf(item, sizeof(item), "%s %s", what, tfp_shorten(text, 40).text);
    if (strstr(out, item))
        return;
    if (used + strlen(item) + 3 <= size)
        snprintf(out + used, size - used, "%s%s", used > 0 ? ", " : "", item);
}

int tfp_machine_find(tfp_machine *machine, const tfp_model *model,
                     tfp_memory *memory, tfprof_error *err)
{
    names accelerators = { .model = model };
    for (size_t i = 0; i < model->inputs.count; i++) {
        const tfp_input *input = &model->inputs.data[i];
        char *versions = machine->versions;
        size_t size = sizeof(machine->versions);
        add_planes(&accelerators, &input->trace);
        add_version(versions, size, "tensorflow",
                    tfp_model_text(model, input->tensorflow_version));
        add_version(versions, size, "jax",
                    tfp_model_text(model, input->trace.jax));
        add_version(versions, size, "jaxlib",
                    tfp_model_text(model, input->trace.jaxlib));
    }
    add_devices(&accelerators);
    join(&accelerators, machine->accelerators, sizeof(machine->accelerators));
    return find_cpu(machine, memory, err);
}
