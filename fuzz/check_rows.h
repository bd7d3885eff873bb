/*
 * check_rows.h - a view that a caller keeps, and what Arrow has of it.
 */
#ifndef TFP_FUZZ_CHECK_ROWS_H
#define TFP_FUZZ_CHECK_ROWS_H

#include <tfprof/tfprof.h>

/* Makes the view, exports it, lets it go and reads what was exported as a
 * reader would who trusts it. `status` is what writing the same view gave.
 * Ends the process when something is not as it should be. */
void fuzz_check_rows(tfprof_profile *profile, const char *view, int status);

#endif
