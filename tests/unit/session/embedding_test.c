/*
 * embedding_test.c - the library inside a program that has plans of its own.
 *
 * Locale, signals, directory, umask, environment, streams and descriptors are
 * as they were; memory comes from the program's allocator; a child of fork()
 * has its own copy of everything.
 */
#include "counting.h"
#include "samples.h"
#include "sanitized.h"

#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static tfprof_error err;

static void load(tfprof_profile *p)
{
    static const char *const files[] = { "graph.pb.gz", "run_meta", "op_log",
                                         "saved_model.pbtxt" };
    char path[1024];
    EACH(row, files) {
        snprintf(path, sizeof(path), "%s/%s", TFPROF_TEST_DATA, *row);
        must(tfprof_profile_add_path(p, path, NULL, &err), &err);
    }
    must(tfprof_profile_set(p, "account_type_regexes", ".*(Mat|Var).*,No.*",
                            &err),
         &err);
}

static void ask(tfprof_profile *p, wire_bytes *answer)
{
    static const char *const formats[] = { "text", "json", "csv" };
    tfprof_view *view;
    for (size_t i = 0; tfprof_view_type(i); i++) {
        for (size_t f = 0; f < 3; f++) {
            must(tfprof_profile_set(p, "format", formats[f], &err), &err);
            must(tfprof_profile_write_view(p, tfprof_view_type(i), wire_keep,
                                           answer, &err),
                 &err);
        }
        must(tfprof_profile_view(p, tfprof_view_type(i), &view, &err), &err);
        tfprof_view_free(view);
    }
    must(tfprof_profile_set(p, "format", "text", &err), &err);
    must(tfprof_profile_write_advice(p, wire_keep, answer, &err), &err);
    must(tfprof_profile_write_flops(p, wire_keep, answer, &err), &err);
    must(tfprof_profile_write_summary(p, NULL, wire_keep, answer, &err), &err);
    must(tfprof_profile_write_info(p, wire_keep, answer, &err), &err);
    must(tfprof_profile_save(p, "/dev/null", &err), &err);
    assert_int_equal(tfprof_profile_add_path(p, "/nowhere", NULL, NULL),
                     TFPROF_ERR_IO);
}

/* A whole life of a profile; returns what it answered. */
static wire_bytes live(tfprof_profile *p)
{
    wire_bytes answer = { 0 };
    load(p);
    ask(p, &answer);
    tfprof_profile_free(p);
    assert_true(answer.size > 1000);
    return answer;
}

/* ---- Locale ------------------------------------------------------------- */

TEST(LB_03_answers_are_the_same_in_every_locale)
{
    static const char *const locales[] = { "de_DE.UTF-8", "tr_TR.UTF-8" };
    wire_bytes expected = live(tfprof_profile_new());
    for (size_t i = 0; i < 2; i++) {
        const char *set = setlocale(LC_ALL, locales[i]);
        wire_bytes answer;
        if (!set) {
            wire_free(&expected);
            print_message("no locale %s here\n", locales[i]);
            skip();
        }
        answer = live(tfprof_profile_new());
        assert_string_equal(setlocale(LC_ALL, NULL), locales[i]);
        assert_true(tfp_span_equal(wire_span(&answer), wire_span(&expected)));
        wire_free(&answer);
    }
    setlocale(LC_ALL, "C");
    wire_free(&expected);
}

/* ---- Signals, directory, umask, environment ----------------------------- */

extern char **environ;

typedef struct surroundings {
    void (*handlers[65])(int);
    int flags[65];
    int is_blocked[65];
    char directory[1024];
    mode_t umask;
    char **environment;
    char *variables[512];
    off_t offsets[3]; /* of stdin, stdout, stderr */
} surroundings;

static void look_around(surroundings *s)
{
    sigset_t mask;
    memset(s, 0, sizeof(*s));
    assert_int_equal(sigprocmask(SIG_BLOCK, NULL, &mask), 0);
    for (int i = 1; i < 65; i++) {
        struct sigaction action = { 0 };
        sigaction(i, NULL, &action);
        s->handlers[i] = action.sa_handler;
        s->flags[i] = action.sa_flags;
        s->is_blocked[i] = sigismember(&mask, i);
    }
    assert_non_null(getcwd(s->directory, sizeof(s->directory)));
    s->umask = umask(0);
    umask(s->umask);
    s->environment = environ;
    for (size_t i = 0; environ[i] && i < 512; i++)
        s->variables[i] = environ[i];
    for (int fd = 0; fd < 3; fd++)
        s->offsets[fd] = lseek(fd, 0, SEEK_CUR);
}

TEST(LB_03_the_process_is_left_as_it_was)
{
    surroundings before, after;
    sigset_t blocked, original;
    wire_bytes answer;
    int streams[3];
    char path[] = "/tmp/tfprof-embedding-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    unlink(path);
    sigfillset(&blocked);
    assert_int_equal(sigprocmask(SIG_SETMASK, &blocked, &original), 0);
    fflush(NULL);
    for (int fd = 0; fd < 3; fd++) { /* a file tells what was read, written */
        streams[fd] = dup(fd);
        assert_int_equal(dup2(file, fd), fd);
    }
    look_around(&before);
    answer = live(tfprof_profile_new());
    fflush(NULL);
    look_around(&after);
    for (int fd = 0; fd < 3; fd++) {
        dup2(streams[fd], fd);
        close(streams[fd]);
    }
    close(file);
    sigprocmask(SIG_SETMASK, &original, NULL);
    wire_free(&answer);
    assert_memory_equal(&before, &after, sizeof(before));
}

/* ---- Descriptors -------------------------------------------------------- */

static int count_descriptors(void)
{
    DIR *dir = opendir("/proc/self/fd");
    int count = 0;
    assert_non_null(dir);
    while (readdir(dir))
        count++;
    closedir(dir);
    return count;
}

/* The most descriptors at a time that exec() would pass on. */
static int check_descriptors(void *context, const char *path, int64_t bytes,
                             int64_t size)
{
    int *most = context, inherited = 0;
    (void)path;
    (void)bytes;
    (void)size;
    for (int fd = 3; fd < 256; fd++) {
        int flags = fcntl(fd, F_GETFD);
        inherited += flags >= 0 && !(flags & FD_CLOEXEC);
    }
    *most = inherited > *most ? inherited : *most;
    return 0;
}

TEST(LB_03_descriptors_are_closed_and_not_inherited)
{
    int before = count_descriptors(), outside = 0, inside = -1;
    tfprof_profile *p = tfprof_profile_new();
    wire_bytes answer;
    check_descriptors(&outside, NULL, 0, 0);
    tfprof_profile_on_progress(p, check_descriptors, &inside);
    must(tfprof_profile_add_path(p, TFPROF_TEST_DATA "/graph.pb", NULL, &err),
         &err);
    assert_int_equal(inside, outside);
    tfprof_profile_on_progress(p, NULL, NULL);
    assert_int_equal(count_descriptors(), before);
    answer = live(p);
    wire_free(&answer);
    p = tfprof_profile_new();
    (void)tfprof_profile_add_path(p, TFPROF_TEST_DATA, NULL, NULL);
    assert_int_equal(count_descriptors(), before);
    tfprof_profile_free(p);
    assert_int_equal(count_descriptors(), before);
}

/* ---- Memory ------------------------------------------------------------- */

TEST(LB_03_all_memory_goes_back_to_the_allocator)
{
    counting memory = { 0 };
    wire_bytes answer = live(tfprof_profile_new_with(counting_resize, &memory));
    wire_free(&answer);
    assert_true(memory.calls > 100);
    counting_check(&memory);
}

#if defined(__GLIBC__) && !defined(TFP_SANITIZED)

/* The C library lets a program bring its own malloc(); this one counts, while
 * it is told to, and takes the memory from where it would have come from. */
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void __libc_free(void *block);
void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void *realloc(void *block, size_t size);
void free(void *block);

static bool is_watched;
static size_t strangers; /* calls that came past the allocator */

void *malloc(size_t size)
{
    strangers += is_watched;
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    strangers += is_watched;
    return __libc_calloc(count, size);
}

void *realloc(void *block, size_t size)
{
    strangers += is_watched;
    return __libc_realloc(block, size);
}

void free(void *block)
{
    __libc_free(block);
}

static void *own_resize(void *context, void *block, size_t old_size,
                        size_t new_size)
{
    bool was_watched = is_watched;
    is_watched = false;
    block = counting_resize(context, block, old_size, new_size);
    is_watched = was_watched;
    return block;
}

static int own_keep(void *context, const void *data, size_t size)
{
    bool was_watched = is_watched;
    is_watched = false;
    wire_raw(context, data, size);
    is_watched = was_watched;
    return 0;
}

TEST(LB_03_all_memory_comes_from_the_allocator)
{
    counting memory = { 0 };
    wire_bytes answer = { 0 };
    tfprof_profile *p;
    tfprof_view *view;
    is_watched = true;
    p = tfprof_profile_new_with(own_resize, &memory);
    load(p); /* with gzip, and with patterns for PCRE2 */
    for (size_t i = 0; tfprof_view_type(i); i++) {
        must(tfprof_profile_write_view(p, tfprof_view_type(i), own_keep,
                                       &answer, &err),
             &err);
        must(tfprof_profile_view(p, tfprof_view_type(i), &view, &err), &err);
        tfprof_view_free(view);
    }
    must(tfprof_profile_write_advice(p, own_keep, &answer, &err), &err);
    must(tfprof_profile_write_flops(p, own_keep, &answer, &err), &err);
    must(tfprof_profile_set(p, "output", "pprof:outfile=/dev/null", &err),
         &err);
    must(tfprof_profile_set(p, "select", "params", &err), &err);
    must(tfprof_profile_write_view(p, "scope", NULL, NULL, &err), &err);
    tfprof_profile_free(p);
    is_watched = false;
    wire_free(&answer);
    counting_check(&memory);
    assert_int_equal(strangers, 0);
}

#else

TEST(LB_03_all_memory_comes_from_the_allocator)
{
    print_message("this build has a malloc() that cannot be taken over\n");
    skip();
}

#endif

/* ---- fork() ------------------------------------------------------------- */

TEST(LB_03_a_child_uses_and_frees_what_its_parent_opened)
{
    tfprof_profile *p = tfprof_profile_new();
    wire_bytes answer = { 0 };
    tfprof_view *view;
    int status;
    pid_t child;
    load(p);
    must(tfprof_profile_view(p, "scope", &view, &err), &err);
    fflush(NULL);
    child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        tfprof_view *again = NULL;
        int bad = tfprof_profile_view(p, "scope", &again, NULL) != TFPROF_OK ||
                  tfprof_view_row_count(again) != tfprof_view_row_count(view);
        tfprof_view_free(again);
        tfprof_view_free(view);
        tfprof_profile_free(p);
        _exit(bad ? 1 : 0);
    }
    ask(p, &answer); /* the parent goes on at the same time */
    wire_free(&answer);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    assert_true(tfprof_view_row_count(view) > 1);
    tfprof_view_free(view);
    tfprof_profile_free(p);
}
