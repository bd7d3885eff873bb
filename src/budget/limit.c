/*
 * limit.c - limits as texts.
 */
#include "budget/limit.h"

/* So many digits are exact in a double, as are their powers of ten. */
enum { MOST_DIGITS = 15 };

typedef struct unit {
    const char *name;
    double factor;
} unit;

static const unit units_of_bytes[] = {
    { "B", 1 },
    { "KB", 1e3 },
    { "MB", 1e6 },
    { "GB", 1e9 },
    { "TB", 1e12 },
    { "KiB", 1024.0 },
    { "MiB", 1024.0 * 1024 },
    { "GiB", 1024.0 * 1024 * 1024 },
    { "TiB", 1024.0 * 1024 * 1024 * 1024 },
    { NULL, 0 },
};

static const unit units_of_time[] = {
    { "us", 1 },
    { "ms", 1e3 },
    { "s", 1e6 },
    { NULL, 0 },
};

static const unit units_of_counts[] = {
    { "K", 1e3 }, { "M", 1e6 }, { "G", 1e9 }, { "T", 1e12 }, { NULL, 0 },
};

/* clang-format off */
static const struct {
    const unit *all;
    const char *mistake;
} units[] = {
    [TFP_UNIT_BYTES] = { units_of_bytes,
        "has an unknown unit (expected B, KB, MB, GB, TB, KiB, MiB, GiB or "
        "TiB)" },
    [TFP_UNIT_MICROS] = { units_of_time,
        "has an unknown unit (expected us, ms or s)" },
    [TFP_UNIT_COUNT] = { units_of_counts,
        "has an unknown unit (expected K, M, G or T)" },
};
/* clang-format on */

static const char not_a_limit[] = "must be a number or a string such as "
                                  "\"+5%\"";
static const char too_large[] = "is too large (at most 1e19)";

static void skip(tfp_span *text, size_t size)
{
    text->data += size;
    text->size -= size;
}

/* A number without sign and exponent; `places` of its digits are behind the
 * point. NULL, or what is wrong. */
static const char *read_digits(tfp_span *text, double *digits, int *places)
{
    int count = 0;
    bool has_point = false, is_last_digit = false;
    *digits = 0;
    *places = 0;
    for (; text->size > 0; skip(text, 1)) {
        uint8_t byte = text->data[0];
        bool is_digit = byte >= '0' && byte <= '9';
        if (!is_digit && (byte != '.' || has_point || count == 0))
            break;
        is_last_digit = is_digit;
        has_point |= !is_digit;
        if (!is_digit)
            continue;
        if (++count > MOST_DIGITS)
            return "has more than 15 digits";
        *digits = *digits * 10 + (byte - '0');
        *places += has_point;
    }
    return is_last_digit ? NULL : not_a_limit;
}

static const unit *find_unit(tfp_span name, const unit *all)
{
    while (all->name && !tfp_span_is(name, all->name))
        all++;
    return all->name ? all : NULL;
}

/* One rounding, because the product is exact for all usual units. */
static double scaled(double digits, double factor, int places)
{
    double power = 1;
    for (int i = 0; i < places; i++)
        power *= 10;
    return digits * factor / power;
}

const char *tfp_limit_parse(tfp_span text, tfp_unit unit_of_metric,
                            tfp_limit *out)
{
    bool is_minus = tfp_span_starts(text, "-");
    bool is_relative = is_minus || tfp_span_starts(text, "+");
    double digits, factor = 1;
    int places;
    const char *mistake;
    const unit *found;
    if (is_relative)
        skip(&text, 1);
    mistake = read_digits(&text, &digits, &places);
    if (mistake)
        return mistake;
    if (text.size > 1 && text.data[0] == ' ')
        skip(&text, 1);
    out->kind = is_relative ? TFP_LIMIT_DIFFERENCE : TFP_LIMIT_ABSOLUTE;
    if (tfp_span_is(text, "%")) {
        if (!is_relative)
            return "needs a sign (such as \"+5%\"), because percentages are "
                   "relative to the baseline";
        out->kind = TFP_LIMIT_PERCENT;
    } else if (text.size > 0) {
        found = find_unit(text, units[unit_of_metric].all);
        if (!found)
            return units[unit_of_metric].mistake;
        factor = found->factor;
    }
    out->value = scaled(digits, factor, places);
    if (out->value > TFP_BUDGET_VALUE_MOST)
        return too_large;
    if (is_minus)
        out->value = -out->value;
    return NULL;
}

const char *tfp_limit_of_number(double value, tfp_limit *out)
{
    *out = (tfp_limit){ TFP_LIMIT_ABSOLUTE, value };
    if (value < 0)
        return "must not be negative";
    return value <= TFP_BUDGET_VALUE_MOST ? NULL : too_large;
}
