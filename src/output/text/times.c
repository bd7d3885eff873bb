/*
 * times.c - times in microseconds, with all their decimals.
 */
#include "output/text/times.h"

#include "base/bytes.h"

#include "model/times.h"
#include "output/text/figures.h"

size_t tfp_figure_exact_time(int64_t time, int64_t unit, char *out)
{
    int64_t each = TFP_MICROSECOND / unit;
    int64_t whole = time / each, rest = time % each;
    size_t size = 0;
    if (rest == 0)
        return tfp_figure_integer(whole, out);
    if (time < 0) /* also of what has no whole part to carry the sign */
        out[size++] = '-';
    size += tfp_figure_integer(whole < 0 ? -whole : whole, out + size);
    out[size++] = '.';
    rest = rest < 0 ? -rest : rest;
    for (; rest > 0; rest %= each) {
        each /= 10;
        out[size++] = (char)('0' + rest / each);
    }
    out[size] = '\0';
    return size;
}

size_t tfp_figure_exact_cost(tfp_cost cost, int64_t value, int64_t unit,
                             char *out)
{
    return tfp_metrics[cost].unit == TFP_UNIT_MICROS
               ? tfp_figure_exact_time(value, unit, out)
               : tfp_figure_integer(value, out);
}

static void put_digits(tfp_json *json, const char *key, const char *digits,
                       size_t size)
{
    tfp_json_token(json, key, (tfp_span){ (const uint8_t *)digits, size });
}

void tfp_json_time(tfp_json *json, const char *key, int64_t time, int64_t unit)
{
    char digits[TFP_FIGURE_SIZE];
    if (unit == TFP_MICROSECOND)
        tfp_json_int(json, key, time);
    else
        put_digits(json, key, digits,
                   tfp_figure_exact_time(time, unit, digits));
}

void tfp_json_cost(tfp_json *json, tfp_cost cost, int64_t value, int64_t unit)
{
    const tfp_metric *metric = &tfp_metrics[cost];
    if (metric->unit == TFP_UNIT_MICROS)
        tfp_json_time(json, metric->name, value, unit);
    else
        tfp_json_int(json, metric->name, value);
}
