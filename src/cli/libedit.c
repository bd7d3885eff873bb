/*
 * libedit.c - the functions of libedit, wherever they come from.
 */
#if defined(TFPROF_WITH_LIBEDIT)

#include "cli/libedit.h"

#if defined(TFPROF_EDIT_FILE)

#include <dlfcn.h>

#include "cli/cli.h"

cli_libedit_calls cli_libedit;

bool cli_libedit_load(void)
{
    void *library = dlopen(TFPROF_EDIT_FILE, RTLD_NOW | RTLD_LOCAL);
    bool is_whole = library != NULL;
#define FIND(name)                                                             \
    if (is_whole) {                                                            \
        cli_libedit.name = (__typeof__(name) *)dlsym(library, #name);          \
        is_whole = cli_libedit.name != NULL;                                   \
    }
    CLI_LIBEDIT_CALLS(FIND)
    if (!is_whole)
        cli_complain("lines cannot be edited: " TFPROF_EDIT_FILE
                     " cannot be loaded (install " TFPROF_EDIT_PACKAGE ")");
    return is_whole;
}

#else

#define IN_THE_PROGRAM(name) name,
cli_libedit_calls cli_libedit = { CLI_LIBEDIT_CALLS(IN_THE_PROGRAM) };

bool cli_libedit_load(void)
{
    return true;
}

#endif

#endif
