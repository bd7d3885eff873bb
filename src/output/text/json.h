/*
 * json.h - writes JSON as it comes, without holding it.
 *
 *     tfp_json_open(&j, NULL, '{');
 *     tfp_json_int(&j, "nodes", 5);
 *     tfp_json_close(&j);
 *
 * Commas, line breaks and escapes are seen to here. `key` is NULL inside an
 * array. What comes out is valid JSON in valid UTF-8 whatever the strings
 * hold: bytes that are not are written as the text \xHH.
 */
#ifndef TFP_OUTPUT_JSON_H
#define TFP_OUTPUT_JSON_H

#include "base/bytes.h"
#include "output/sink/sink.h"

enum { TFP_JSON_LEVELS = 32 };

typedef struct tfp_json {
    tfp_sink *sink;
    int level;
    char closing[TFP_JSON_LEVELS]; /* '}' or ']' */
    bool has_items[TFP_JSON_LEVELS];
    int line_level; /* from this level on all stands on one line; 0: none */
    bool compact;   /* set after tfp_json_init(): no blanks, no indentation */
} tfp_json;

void tfp_json_init(tfp_json *json, tfp_sink *sink);

/* `bracket` is '{' or '['. */
void tfp_json_open(tfp_json *json, const char *key, char bracket);

/* The same, and all up to its end stands on one line. */
void tfp_json_open_line(tfp_json *json, const char *key, char bracket);
void tfp_json_close(tfp_json *json);

/* tfp_json_open() with a key that is a name from a stranger. */
void tfp_json_open_named(tfp_json *json, tfp_span key, char bracket);

void tfp_json_int(tfp_json *json, const char *key, int64_t value);

/* The same, but as a string where a reader that keeps numbers as doubles would
 * change it: from 2^53 on. */
void tfp_json_exact_int(tfp_json *json, const char *key, int64_t value);
void tfp_json_bool(tfp_json *json, const char *key, bool value);

/* Items that are always the same, as they stand: "\"a\":1,\"b\":2". */
void tfp_json_constant(tfp_json *json, const char *items);
void tfp_json_null(tfp_json *json, const char *key);
void tfp_json_string(tfp_json *json, const char *key, tfp_span value);
/* A number as it is to stand there. */
void tfp_json_token(tfp_json *json, const char *key, tfp_span value);

/* A finite double, with the digits that it takes to read it back. */
void tfp_json_double(tfp_json *json, const char *key, double value);

/* The same, or null if the value is not known or not finite. */
void tfp_json_double_or_null(tfp_json *json, const char *key, double value,
                             bool is_known);

/* Three texts as one string. */
void tfp_json_joined(tfp_json *json, const char *key, const char *before,
                     tfp_span value, const char *after);
void tfp_json_text(tfp_json *json, const char *key, const char *value);

#endif
