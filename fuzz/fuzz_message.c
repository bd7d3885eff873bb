/*
 * fuzz_message.c - any bytes, as one message in one form: that of fuzz_name.
 *
 * Holds that the answer does not depend on how the bytes arrive, and that an
 * error is complete: a code, a place inside the input and a line of text.
 */
#include <string.h>

#include "fuzz.h"
#include "target.h"

static void check_error(const fuzz_outcome *out, tfp_span data)
{
    if (out->status == TFPROF_OK)
        return;
    FUZZ_CHECK(out->status == out->err.code);
    FUZZ_CHECK(out->err.message[0] != '\0');
    FUZZ_CHECK(!strchr(out->err.message, '\n'));
    if (out->status == TFPROF_ERR_MALFORMED)
        FUZZ_CHECK(out->err.offset >= 0 &&
                   out->err.offset <= (int64_t)data.size);
}

int fuzz_message(const uint8_t *bytes, size_t size)
{
    static const fuzz_format *format;
    tfp_span data = { bytes, size };
    tfp_memory memory = fuzz_memory();
    fuzz_outcome whole, pieces;
    if (!format)
        format = fuzz_format_named(fuzz_name);
    whole = fuzz_read(format, data, 0, &memory);
    check_error(&whole, data);
    pieces = fuzz_read(format, data, 1 + size % 16, &memory);
    fuzz_check_same(&whole, &pieces);
    return 0;
}
