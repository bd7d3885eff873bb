/*
 * leftover.h - the names of unfinished files, and those left behind.
 */
#ifndef TFP_OUTPUT_LEFTOVER_H
#define TFP_OUTPUT_LEFTOVER_H

#include <stddef.h>
#include <sys/types.h>

/* ".tfprof-" and 16 random digits, with its NUL. */
enum { TFP_LEFTOVER_SIZE = sizeof(".tfprof-0123456789abcdef") };

/* Puts a name that nobody can have prepared. */
void tfp_leftover_name(char name[TFP_LEFTOVER_SIZE]);

/* Takes away every plain file of such a name in the open `folder` that belongs
 * to this user or to `owner` and that no living writer has locked. What cannot
 * be looked at stays: this is a service, not a duty. */
void tfp_leftover_remove(int folder, uid_t owner);

#endif
