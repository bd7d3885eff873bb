/*
 * units.c - values with their units, as people see them.
 */
#include "output/text/units.h"

#include <math.h>

#include "base/bytes.h"
#include "model/times.h"
#include "output/text/figures.h"

size_t tfp_figure_in_unit(tfp_unit unit, int64_t value, char *out)
{
    switch (unit) {
    case TFP_UNIT_MICROS: return tfp_figure_picos(value, out);
    case TFP_UNIT_BYTES: return tfp_figure_bytes(value, out);
    default: return tfp_figure_grouped(value, out);
    }
}

size_t tfp_figure_signed(tfp_unit unit, int64_t value, char *out)
{
    out[0] = value < 0 ? '-' : '+';
    return 1 + tfp_figure_in_unit(
                   unit, value < 0 ? tfp_sub_sat(0, value) : value, out + 1);
}

int64_t tfp_measured_value(tfp_unit unit, double value)
{
    double exact = unit == TFP_UNIT_MICROS ? value * (double)TFP_MICROSECOND
                                           : value;
    double most = 9e18;
    if (isnan(exact))
        return 0;
    return exact > most    ? INT64_MAX
           : exact < -most ? -INT64_MAX
                           : (int64_t)(exact + (exact < 0 ? -.5 : .5));
}
