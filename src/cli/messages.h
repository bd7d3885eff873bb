/*
 * messages.h - the table of messages, docs/messages.tsv, which is inside the
 * program, packed by cmake/PackMessages.cmake.
 */
#ifndef TFP_CLI_MESSAGES_H
#define TFP_CLI_MESSAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Raw deflate data, and the size of what is in it. */
extern const unsigned char cli_messages_packed[];
extern const size_t cli_messages_packed_size, cli_messages_size;

/* Explains the messages that match `text`, which is a message as the program
 * printed it, or a part of one. Prints nothing if there is no such message.
 * *found is their number. False when out of memory. */
bool cli_explain_message(FILE *out, const char *text, size_t *found);

#endif
