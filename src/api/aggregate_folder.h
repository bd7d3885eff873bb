/*
 * aggregate_folder.h - the folder that the tables of an aggregate go into.
 *
 * Order of calls: open, which finds most problems before inputs are read;
 * clear; write the tables; close.
 */
#ifndef TFP_API_AGGREGATE_FOLDER_H
#define TFP_API_AGGREGATE_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

#include "api/profile.h"
#include "base/error.h"
#include "base/memory.h"

typedef struct tfp_agg_folder {
    tfp_memory *memory;
    char *path;    /* with room for the name of a table behind it */
    size_t length; /* bytes of the path of the folder */
    size_t room;   /* behind it, with the NUL */
    /* Of the first and the last directory that were created; 0: none. */
    size_t first, last;
} tfp_agg_folder;

/* Creates the folder and its missing parents. Refuses a folder with a table
 * that is one of the inputs. After a failure, close it too. */
int tfp_agg_folder_open(tfp_agg_folder *folder, const char *path,
                        tfprof_profile *profile, tfprof_error *err);

/* The path of a table: tfp_agg_files[file]. It lasts until the next call. */
const char *tfp_agg_folder_file(tfp_agg_folder *folder, size_t file);

/* Removes the header of an earlier call, because it would not match the tables
 * of this call. */
int tfp_agg_folder_clear(tfp_agg_folder *folder, tfprof_error *err);

/* Removes the directories that open() created if `is_kept` is false and they
 * are empty. */
void tfp_agg_folder_close(tfp_agg_folder *folder, bool is_kept);

#endif
