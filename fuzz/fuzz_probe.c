/*
 * fuzz_probe.c - any bytes, given to the library as a user gives a file.
 *
 * What they are is found out, they are read, and all that is known about them
 * is told in both forms. Holds that what is told can be printed and parsed.
 */
#include <string.h>

#include <tfprof/tfprof.h>

#include "asking.h"
#include "check_output.h"
#include "fuzz.h"
#include "target.h"

static void check_answer(tfprof_profile *profile, const char *format,
                         bool (*is_good)(tfp_span text))
{
    fuzz_answer a = { 0 };
    FUZZ_CHECK(tfprof_profile_set(profile, "format", format, NULL) == 0);
    FUZZ_CHECK(tfprof_profile_write_info(profile, fuzz_keep, &a, NULL) == 0);
    FUZZ_CHECK(a.size > 0 && is_good((tfp_span){ a.data, a.size }));
    free(a.data);
}

int fuzz_probe(const uint8_t *bytes, size_t size)
{
    tfprof_profile *profile = tfprof_profile_new();
    tfprof_error err = { 0 }, again = { 0 };
    int status;
    FUZZ_CHECK(profile);
    FUZZ_CHECK(tfprof_profile_set(profile, "max_memory", "64M", NULL) == 0);
    FUZZ_CHECK(tfprof_profile_set(profile, "salvage",
                                  size % 2 ? "true" : "false", NULL) == 0);
    status = tfprof_profile_add_memory(profile, "fuzz", bytes, size, NULL,
                                       &err);
    FUZZ_CHECK(status == (int)err.code);
    FUZZ_CHECK(tfprof_profile_input_count(profile) == 1);
    FUZZ_CHECK(tfprof_profile_input_status(profile, 0, NULL, &again) == status);
    FUZZ_CHECK(!strcmp(err.message, again.message));
    check_answer(profile, "text", fuzz_is_printable);
    check_answer(profile, "json", fuzz_is_json);
    tfprof_profile_free(profile);
    return 0;
}
