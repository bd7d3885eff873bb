/*
 * libedit.h - the functions of libedit, wherever they come from.
 *
 * Only a prompt on a terminal needs them, and they bring a database of
 * terminals and two more libraries. So where libraries can be loaded, they are
 * when a prompt begins; otherwise they are in the program.
 */
#ifndef TFP_CLI_LIBEDIT_H
#define TFP_CLI_LIBEDIT_H

#include <histedit.h>
#include <stdbool.h>

#define CLI_LIBEDIT_CALLS(call)                                                \
    call(el_deletestr) call(el_end) call(el_get) call(el_gets) call(el_init)   \
        call(el_insertstr) call(el_line) call(el_resize) call(el_set)          \
            call(el_source) call(el_wset) call(history) call(history_end)      \
                call(history_init)

#define CLI_LIBEDIT_MEMBER(name) __typeof__(name) *name;
typedef struct cli_libedit_calls {
    CLI_LIBEDIT_CALLS(CLI_LIBEDIT_MEMBER)
} cli_libedit_calls;

/* To be used once cli_libedit_load() has returned true. */
extern cli_libedit_calls cli_libedit;

/* False, and said so, when libedit is not there. */
bool cli_libedit_load(void);

#endif
