/*
 * watch.c - read files with progress, a memory limit and a timeout.
 *
 *     watch MILLISECONDS FILE...
 *
 * Reads the files through a callback, counts memory in a custom allocator and
 * shows progress. When the time is over, a second thread sets a flag, and the
 * callbacks cancel the work. Otherwise prints the op view.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <tfprof/tfprof.h>

typedef struct watch {
    atomic_bool is_over; /* set by the second thread */
    long milliseconds;
    size_t held, peak; /* bytes allocated by the profile */
} watch;

static void *count_memory(void *context, void *block, size_t old_size,
                          size_t new_size)
{
    watch *w = context;
    void *moved = NULL;
    if (new_size == 0)
        free(block);
    else if (!(moved = realloc(block, new_size)))
        return NULL; /* the old block is unchanged */
    w->held += new_size - old_size;
    w->peak = w->held > w->peak ? w->held : w->peak;
    return moved;
}

static ptrdiff_t read_file(void *file, void *buffer, size_t size)
{
    size_t n = fread(buffer, 1, size, file);
    return n == 0 && ferror(file) ? TFPROF_ERR_IO : (ptrdiff_t)n;
}

static int show_progress(void *context, const char *path, int64_t bytes_read,
                         int64_t size)
{
    (void)size; /* -1: the size of a callback's data is unknown */
    fprintf(stderr, "%s: %lld bytes\n", path, (long long)bytes_read);
    return atomic_load(&((watch *)context)->is_over);
}

static int is_over(void *context)
{
    return atomic_load(&((watch *)context)->is_over);
}

static int print(void *file, const void *data, size_t size)
{
    return fwrite(data, 1, size, file) != size;
}

static void *wait_for_the_end(void *context)
{
    watch *w = context;
    struct timespec time = { w->milliseconds / 1000,
                             w->milliseconds % 1000 * 1000000 };
    nanosleep(&time, NULL);
    atomic_store(&w->is_over, 1);
    return NULL;
}

static int add(tfprof_profile *profile, const char *path, tfprof_error *err)
{
    FILE *file = fopen(path, "rb");
    int status = TFPROF_ERR_IO;
    snprintf(err->message, sizeof(err->message), "cannot open %s", path);
    if (!file)
        return status;
    status = tfprof_profile_add_callback(profile, path, read_file, file, NULL,
                                         err);
    fclose(file);
    return status;
}

static int show(tfprof_profile *profile, int count, char **paths,
                tfprof_error *err)
{
    int status = tfprof_profile_set(profile, "max_memory", "256M", err);
    for (int i = 0; i < count && status == TFPROF_OK; i++)
        status = add(profile, paths[i], err);
    if (status == TFPROF_OK)
        status = tfprof_profile_write_view(profile, "op", print, stdout, err);
    return status;
}

int main(int argc, char **argv)
{
    static watch w; /* outlives both threads */
    tfprof_profile *profile;
    tfprof_error err;
    pthread_t thread;
    int status;
    w.milliseconds = argc > 2 ? strtol(argv[1], NULL, 10) : -1;
    if (w.milliseconds < 0 ||
        pthread_create(&thread, NULL, wait_for_the_end, &w) != 0) {
        fputs("usage: watch MILLISECONDS FILE...\n", stderr);
        return EXIT_FAILURE;
    }
    pthread_detach(thread);
    profile = tfprof_profile_new_with(count_memory, &w);
    tfprof_profile_on_progress(profile, show_progress, &w);
    tfprof_profile_on_cancel(profile, is_over, &w);
    status = show(profile, argc - 2, argv + 2, &err);
    tfprof_profile_free(profile);
    if (status != TFPROF_OK)
        fprintf(stderr, "watch: %s\n", err.message);
    fprintf(stderr, "memory: %zu bytes at most, %zu left\n", w.peak, w.held);
    return status == TFPROF_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
