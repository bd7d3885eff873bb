/*
 * demo.h - the files of the sample models, which cmake/Demo.cmake lists.
 */
#ifndef TFP_CLI_DEMO_H
#define TFP_CLI_DEMO_H

#include <stddef.h>

typedef struct cli_demo_file {
    const char *path;          /* below the folder of all samples */
    const unsigned char *data; /* NULL: it is a file beside the program */
    size_t size;
} cli_demo_file;

extern const cli_demo_file cli_demo_files[]; /* ends with a path of NULL */

#endif
