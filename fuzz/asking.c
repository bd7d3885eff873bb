/*
 * asking.c - a profile that is asked by a target, and what it answers.
 */
#include "asking.h"

#include <string.h>

#include "check_output.h"
#include "target.h"

tfprof_profile *fuzz_profile_new(size_t *held, size_t most_memory)
{
    tfprof_profile *profile = tfprof_profile_new_with(fuzz_resize, held);
    char limit[32];
    FUZZ_CHECK(profile);
    snprintf(limit, sizeof(limit), "%zu", most_memory);
    fuzz_set(profile, "max_memory", limit);
    return profile;
}

void fuzz_set(tfprof_profile *profile, const char *name, const char *value)
{
    FUZZ_CHECK(tfprof_profile_set(profile, name, value, NULL) == 0);
}

void fuzz_set_word(tfprof_profile *profile, const char *name, size_t number)
{
    char word[64];
    fuzz_pick_word(tfprof_option_find(name, NULL)->values, number, word,
                   sizeof(word));
    fuzz_set(profile, name, word);
}

void fuzz_pick_word(const char *words, size_t number, char *out, size_t size)
{
    size_t count = 1, length;
    for (const char *at = words; *at; at++)
        count += *at == '|';
    for (number %= count; number > 0; number--)
        words = strchr(words, '|') + 1;
    length = strcspn(words, "|");
    FUZZ_CHECK(length < size);
    memcpy(out, words, length);
    out[length] = '\0';
}

int fuzz_keep(void *context, const void *data, size_t size)
{
    fuzz_answer *a = context;
    uint8_t *moved = realloc(a->data, a->size + size + 1);
    FUZZ_CHECK(moved && size > 0);
    memcpy(moved + a->size, data, size);
    a->data = moved;
    a->size += size;
    return 0;
}

void fuzz_check_status(int status, const tfprof_error *err)
{
    FUZZ_CHECK(status == (int)err->code);
    FUZZ_CHECK(status == TFPROF_OK || err->message[0]);
    if (status != TFPROF_OK)
        fuzz_check_line(NULL, err->message);
    FUZZ_CHECK(status != TFPROF_ERR_NOMEM && status != TFPROF_ERR_OUTPUT);
}

void fuzz_check_again(const fuzz_answer *first, fuzz_answer *again)
{
    FUZZ_CHECK(first->status == again->status && first->size == again->size);
    if (first->status == TFPROF_OK && first->size > 0)
        FUZZ_CHECK(!memcmp(first->data, again->data, first->size));
    free(again->data);
}

void fuzz_check_line(void *context, const char *line)
{
    (void)context;
    FUZZ_CHECK(line[0] && !strchr(line, '\n'));
    FUZZ_CHECK(fuzz_is_printable(tfp_span_of(line)));
}
