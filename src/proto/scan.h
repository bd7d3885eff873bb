/*
 * scan.h - the tokens of protobuf's text format.
 *
 * A scanner slides over the window of a reader and counts lines. Blanks and
 * comments are consumed as they come; a word or a quoted string is held in
 * the window in one piece, however long it is. What is handed out points into
 * the window and is good until the next call.
 *
 * Which bytes make a token: google/protobuf/text_format.py, class Tokenizer,
 * whose verdict on a file this reader shares.
 */
#ifndef TFP_PROTO_SCAN_H
#define TFP_PROTO_SCAN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/error.h"
#include "base/reader.h"

typedef struct tfp_scan {
    tfp_reader *reader;
    const uint8_t *at, *end; /* the unread bytes of the window */
    int64_t line;            /* of `at`, counted from 1 */
    int64_t line_start;      /* offset of the line's first byte */
} tfp_scan;

/* Where something stands in the input. */
typedef struct tfp_place {
    int64_t offset; /* in bytes, from 0 */
    int64_t line;   /* from 1 */
    int64_t column; /* in bytes, from 1 */
} tfp_place;

/* What tfp_scan_peek() returns when there is no byte: the input has ended, or
 * its reader has failed. */
enum { TFP_SCAN_END = -1 };

/* Returned in place of a code, with nothing in `err`, where the input ends
 * and something had to follow. Only the walker knows what is still open, so
 * it writes that error. */
enum { TFP_SCAN_CUT = 2 };

/* What a byte may be part of. */
enum {
    TFP_BYTE_BLANK = 1,  /* a blank, a comment, or the first byte of one */
    TFP_BYTE_LETTER = 2, /* the start of a name */
    TFP_BYTE_DIGIT = 4,
    TFP_BYTE_SIGN = 8,
    TFP_BYTE_DOT = 16,
    TFP_BYTE_QUOTE = 32,
    TFP_BYTE_URL = 64 /* also allowed in a type URL */
};
enum {
    TFP_BYTE_WORD = TFP_BYTE_LETTER | TFP_BYTE_DIGIT | TFP_BYTE_SIGN,
    TFP_BYTE_NUMBER = TFP_BYTE_WORD | TFP_BYTE_DOT
};
extern const uint8_t tfp_byte_class[256];

/* Begins where the reader stands and passes over a byte order mark. */
void tfp_scan_init(tfp_scan *scan, tfp_reader *reader);

/* Slow part of tfp_scan_peek(). */
int tfp_scan_blanks(tfp_scan *scan);

/* Passes over blanks and comments; the byte after them or TFP_SCAN_END. */
static inline int tfp_scan_peek(tfp_scan *scan)
{
    const uint8_t *at = scan->at;
    if (scan->end - at >= 2) {
        at += *at == ' ';
        if (!(tfp_byte_class[*at] & TFP_BYTE_BLANK)) {
            scan->at = at;
            return *at;
        }
    }
    return tfp_scan_blanks(scan);
}

/* True when the next byte after blanks is `byte`, which is then consumed. */
static inline bool tfp_scan_accept(tfp_scan *scan, int byte)
{
    if (tfp_scan_peek(scan) != byte)
        return false;
    scan->at++;
    return true;
}

/* True when `byte`, as peeked, begins a name or a number. */
static inline bool tfp_scan_is_word(int byte)
{
    return byte >= 0 && tfp_byte_class[byte] & TFP_BYTE_NUMBER;
}

static inline bool tfp_scan_is_quote(int byte)
{
    return byte >= 0 && tfp_byte_class[byte] & TFP_BYTE_QUOTE;
}

/* Consumes the name or number that begins at the peeked byte. Its size is 0
 * when the reader failed in it. */
tfp_span tfp_scan_word(tfp_scan *scan);

/* Consumes the string that begins at the peeked quote. *inner is what stands
 * between the quotes; *escaped tells that there are backslashes in it. */
int tfp_scan_string(tfp_scan *scan, tfp_span *inner, bool *escaped,
                    tfprof_error *err);

/* The place of a byte of the line that the scanner is in. */
tfp_place tfp_scan_place(const tfp_scan *scan, const uint8_t *byte);

/* A malformed input; fills in the place. If the reader has failed, that is
 * the error. */
int tfp_scan_fail(const tfp_scan *scan, tfp_place place, tfprof_error *err,
                  const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* "expected WHAT, found ...", or TFP_SCAN_CUT when nothing is left. */
int tfp_scan_expected(tfp_scan *scan, const char *what, tfprof_error *err);

/* Bytes of a word that an error message shows. */
enum { TFP_SHOWN = 40 };

#endif
