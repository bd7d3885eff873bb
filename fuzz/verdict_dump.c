/*
 * verdict_dump.c - what the readers say about many files.
 *
 * In:   the name of a format, and paths of files, one a line, on stdin.
 * Out:  one line a file: "CODE OFFSET MESSAGE", in the same order; "0 -1" for
 *       a file that is accepted.
 *
 * tests/verdicts.py holds these answers against TensorFlow's own parsers.
 */
#include <errno.h>
#include <string.h>

#include "target.h"

static tfp_span read_whole(const char *path)
{
    /* One byte more tells a longer file. Fuzzing keeps to the limit. */
    static uint8_t bytes[FUZZ_MOST_BYTES + 1];
    FILE *file = fopen(path, "rb");
    tfp_span data = { bytes, 0 };
    if (!file) {
        fprintf(stderr, "verdict_dump: %s: %s\n", path, strerror(errno));
        exit(1);
    }
    data.size = fread(bytes, 1, sizeof(bytes), file);
    fclose(file);
    if (data.size > FUZZ_MOST_BYTES) {
        fprintf(stderr, "verdict_dump: %s: longer than %d bytes\n", path,
                FUZZ_MOST_BYTES);
        exit(1);
    }
    return data;
}

int main(int argc, char **argv)
{
    const fuzz_format *format;
    char path[FUZZ_MOST_BYTES];
    if (argc != 2) {
        fputs("usage: verdict_dump FORMAT <PATHS\n", stderr);
        return 2;
    }
    format = fuzz_format_named(argv[1]);
    while (fgets(path, sizeof(path), stdin)) {
        tfp_memory memory = fuzz_memory();
        fuzz_outcome out;
        path[strcspn(path, "\n")] = '\0';
        out = fuzz_read(format, read_whole(path), 0, &memory);
        if (out.status == TFPROF_OK)
            puts("0 -1");
        else
            printf("%d %lld %s\n", out.status, (long long)out.err.offset,
                   out.err.message);
    }
    return fflush(stdout) ? 1 : 0;
}
