/*
 * replay.c - run a fuzz target once over given files, without libFuzzer.
 *
 * In:   the name of the target; files and folders, which are walked to the
 * bottom, in no order. Out:  the number of inputs run, on stdout. Exit 1 when
 * something could not be read or there was nothing to run: an empty corpus
 * tests nothing.
 *
 * Each input stands in a block of exactly its size, so that a sanitizer sees
 * the first byte read past its end. An input that breaks the target is named
 * on stderr, after the report of the sanitizer.
 */
#include "fuzz.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The input that the target works on. */
static const char *current;

static void name_current(void)
{
    static const char before[] = "replay: it was ";
    if (!current || write(STDERR_FILENO, before, sizeof(before) - 1) < 0 ||
        write(STDERR_FILENO, current, strlen(current)) < 0 ||
        write(STDERR_FILENO, "\n", 1) < 0)
        return;
}

static void on_abort(int number)
{
    name_current();
    signal(number, SIG_DFL);
    raise(number);
}

/* There in a sanitized build only. */
__attribute__((weak)) void __sanitizer_set_death_callback(void (*call)(void));

static int replay_path(const char *path, size_t *runs);

static int complain(const char *path)
{
    fprintf(stderr, "replay: %s: %s\n", path, strerror(errno));
    return -1;
}

static int replay_file(const char *path, size_t size, size_t *runs)
{
    int status = -1;
    FILE *file = fopen(path, "rb");
    uint8_t *data = malloc(size ? size : 1);
    if (!file || !data || fread(data, 1, size, file) != size) {
        complain(path);
        goto out;
    }
    current = path;
    if (fuzz_chosen(data, size) == 0) {
        (*runs)++;
        status = 0;
    } else {
        fprintf(stderr, "replay: %s: the target did not return 0\n", path);
    }
    current = NULL;
out:
    free(data);
    if (file)
        fclose(file);
    return status;
}

static int replay_entry(const char *folder, const char *name, size_t *runs)
{
    size_t size = strlen(folder) + strlen(name) + 2;
    char *path = malloc(size);
    int status;
    if (!path)
        return complain(folder);
    snprintf(path, size, "%s/%s", folder, name);
    status = replay_path(path, runs);
    free(path);
    return status;
}

static int replay_folder(const char *path, size_t *runs)
{
    struct dirent *entry;
    int status = 0;
    DIR *folder = opendir(path);
    if (!folder)
        return complain(path);
    while ((entry = readdir(folder)))
        if (entry->d_name[0] != '.' && replay_entry(path, entry->d_name, runs))
            status = -1;
    closedir(folder);
    return status;
}

static int replay_path(const char *path, size_t *runs)
{
    struct stat info;
    if (stat(path, &info) != 0)
        return complain(path);
    if (S_ISDIR(info.st_mode))
        return replay_folder(path, runs);
    return replay_file(path, (size_t)info.st_size, runs);
}

int main(int argc, char **argv)
{
    size_t runs = 0;
    int status = 0;
    signal(SIGABRT, on_abort);
    if (__sanitizer_set_death_callback)
        __sanitizer_set_death_callback(name_current);
    fuzz_choose(argc > 1 ? argv[1] : "");
    for (int i = 2; i < argc; i++)
        if (replay_path(argv[i], &runs) != 0)
            status = 1;
    printf("%zu inputs replayed\n", runs);
    if (runs == 0) {
        fputs("replay: nothing to run\n", stderr);
        status = 1;
    }
    return status;
}
