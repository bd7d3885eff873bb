/*
 * libfuzzer.c - the libFuzzer program: fuzz NAME [options of libFuzzer...].
 *
 * What a run passes through must depend on its input alone, so that a search
 * can be repeated: hash tables are seeded without chance.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "fuzz.h"
#include "mutate.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size,
                               unsigned seed);

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    if (*argc < 2) {
        fputs("usage: fuzz NAME [options of libFuzzer...]\n", stderr);
        exit(2);
    }
    fuzz_choose((*argv)[1]);
    (*argv)[1] = (*argv)[0];
    ++*argv;
    --*argc;
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_chosen(data, size);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size,
                               unsigned seed)
{
    return (fuzz_chosen == fuzz_session ? mutate_session : mutate_any)(
        data, size, max_size, seed);
}

ssize_t getrandom(void *buffer, size_t size, unsigned flags)
{
    (void)flags;
    memset(buffer, 1, size);
    return (ssize_t)size;
}
