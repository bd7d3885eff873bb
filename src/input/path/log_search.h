/*
 * log_search.h - the log directories below a directory.
 */
#ifndef TFP_INPUT_LOG_SEARCH_H
#define TFP_INPUT_LOG_SEARCH_H

#include <stdbool.h>

#include "base/error.h"
#include "base/memory.h"

/* Paths from the directory that was searched; "" is the directory itself. */
typedef TFP_VEC(char *) tfp_log_paths;

/*
 * Adds each directory below `dir`, and `dir` itself, that has traces as
 * TensorBoard finds them: DIRECTORY/plugins/profile/RUN/HOST.xplane.pb. Sorted
 * by path. Links are followed, but nothing is found twice. Hidden folders and
 * folders that cannot be read are passed over. It is an error if more folders
 * are below than a search should take.
 */
int tfp_find_logs(tfp_memory *memory, int dir, tfp_log_paths *found,
                  tfprof_error *err);

/* Adds a path. False when out of memory. */
bool tfp_push_log(tfp_memory *memory, tfp_log_paths *paths, const char *path);
void tfp_log_paths_release(tfp_memory *memory, tfp_log_paths *paths);

#endif
