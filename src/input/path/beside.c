/*
 * beside.c - the trace beside a file that is not one.
 *
 * Profilers and TensorBoard write more than traces: a Chrome trace of the same
 * run stands beside it, and an event file stands in the log directory.
 */
#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "base/error.h"
#include "base/memory.h"
#include "input/path/paths.h"

/* Is it made of the same run? "vm.trace.json.gz" is, of "vm.xplane.pb". */
static bool is_of(const char *trace, const char *file)
{
    size_t size = (size_t)(strstr(trace, ".xplane.pb") - trace);
    return strlen(file) > size && !memcmp(file, trace, size) &&
           file[size] == '.';
}

/* The trace in the folder: the one of the same run, else the first by name. */
static bool choose_trace(DIR *dir, const char *file, char *name, size_t size)
{
    const struct dirent *entry;
    bool found = false, is_same = false;
    while ((entry = readdir(dir)) != NULL) {
        const char *one = entry->d_name;
        bool same;
        if (!tfp_is_trace_name(one) || strlen(one) >= size)
            continue;
        same = is_of(one, file);
        if (found &&
            (same < is_same || (same == is_same && strcmp(one, name) >= 0)))
            continue;
        snprintf(name, size, "%s", one);
        found = true;
        is_same = same;
    }
    return found;
}

tfp_beside tfp_find_trace_beside(tfp_memory *memory, const char *path,
                                 char *name, size_t size)
{
    const char *slash = strrchr(path, '/');
    char folder[4096] = ".";
    tfp_file_names traces = { 0 };
    tfp_beside found = TFP_BESIDE_NOTHING;
    DIR *dir;
    if (slash && (size_t)(slash - path) >= sizeof(folder))
        return found;
    if (slash)
        snprintf(folder, sizeof(folder), "%.*s", (int)(slash - path + 1), path);
    dir = opendir(folder);
    if (!dir)
        return found;
    if (choose_trace(dir, slash ? slash + 1 : path, name, size))
        found = TFP_BESIDE_TRACE;
    else if (tfp_list_traces(memory, dirfd(dir), NULL, &traces, NULL) ==
                 TFPROF_OK &&
             traces.count > 0)
        found = TFP_BESIDE_LOGS;
    TFP_VEC_RELEASE(memory, &traces);
    closedir(dir);
    return found;
}
