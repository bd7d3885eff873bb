/*
 * threads_test.c - profiles and views in several threads.
 *
 * ThreadSanitizer watches this (preset tsan); the other builds see that the
 * answers are right. One profile in two threads at a time is not allowed:
 * threads that share a profile take turns, as those of Python do.
 */
#include "asking.h"
#include "counting.h"
#include "samples.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 4, ROUNDS = 3 };

/* Assertions of cmocka jump, and only its own thread may: others note here. */
static atomic_int mistakes;

#define NOTE_UNLESS(condition)                                                 \
    do {                                                                       \
        if (!(condition)) {                                                    \
            atomic_fetch_add(&mistakes, 1);                                    \
            print_message("line %d: %s\n", __LINE__, #condition);              \
        }                                                                      \
    } while (0)

static const char *const data_files[] = { "graph.pb", "run_meta", "op_log",
                                          "model.ckpt.meta" };

static void run_threads(void *(*work)(void *), void *context)
{
    pthread_t threads[THREADS];
    atomic_store(&mistakes, 0);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, work, context), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(atomic_load(&mistakes), 0);
}

/* ---- Two handles -------------------------------------------------------- */

/* A sum over what was written says whether it is the same. */
static int add_up(void *context, const void *data, size_t size)
{
    uint64_t *sum = context;
    for (size_t i = 0; i < size; i++)
        *sum = *sum * 31 + ((const uint8_t *)data)[i];
    return 0;
}

static void add_row(const tfprof_view *view, size_t index, uint64_t *sum)
{
    tfprof_row row;
    tfprof_text devices = tfprof_view_fact(view, index, TFPROF_FACT_DEVICES);
    int64_t costs[2] = { tfprof_view_self(view, index, TFPROF_METRIC_MICROS),
                         tfprof_view_total(view, index, TFPROF_METRIC_PARAMS) };
    NOTE_UNLESS(tfprof_view_row(view, index, &row) == TFPROF_OK);
    add_up(sum, row.name.data, row.name.size);
    add_up(sum, devices.data, devices.size);
    add_up(sum, costs, sizeof(costs));
}

static uint64_t walk(const tfprof_view *view)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < tfprof_view_row_count(view); i++)
        add_row(view, i, &sum);
    return sum;
}

static tfprof_profile *load(void)
{
    tfprof_profile *p = tfprof_profile_new();
    char path[1024];
    EACH(row, data_files) {
        snprintf(path, sizeof(path), "%s/%s", TFPROF_TEST_DATA, *row);
        NOTE_UNLESS(tfprof_profile_add_path(p, path, NULL, NULL) == TFPROF_OK);
    }
    NOTE_UNLESS(tfprof_profile_set(p, "select", "micros,params,device,bytes",
                                   NULL) == TFPROF_OK);
    NOTE_UNLESS(tfprof_profile_set(p, "hide_name_regexes", "no.*such", NULL) ==
                TFPROF_OK);
    return p;
}

static uint64_t ask_views(tfprof_profile *p)
{
    uint64_t sum = 0;
    for (size_t i = 0; tfprof_view_type(i); i++) {
        tfprof_view *view = NULL;
        NOTE_UNLESS(tfprof_profile_view(p, tfprof_view_type(i), &view, NULL) ==
                    TFPROF_OK);
        sum = sum * 7 + walk(view);
        tfprof_view_free(view);
        NOTE_UNLESS(tfprof_profile_write_view(p, tfprof_view_type(i), add_up,
                                              &sum, NULL) == TFPROF_OK);
    }
    return sum;
}

/* All that a profile can do, from the first byte to the last. */
static uint64_t do_everything(void)
{
    tfprof_profile *p = load();
    tfprof_error err;
    uint64_t sum = ask_views(p);
    NOTE_UNLESS(tfprof_profile_write_advice(p, add_up, &sum, &err) ==
                TFPROF_OK);
    NOTE_UNLESS(tfprof_profile_write_flops(p, add_up, &sum, &err) == TFPROF_OK);
    NOTE_UNLESS(tfprof_profile_write_info(p, add_up, &sum, &err) == TFPROF_OK);
    NOTE_UNLESS(tfprof_profile_save(p, "/dev/null", &err) == TFPROF_OK);
    NOTE_UNLESS(tfprof_profile_set(p, "no_such", "1", &err) ==
                TFPROF_ERR_OPTION);
    tfprof_profile_free(p);
    return sum;
}

static void *repeat_everything(void *expected)
{
    for (int i = 0; i < ROUNDS; i++)
        NOTE_UNLESS(do_everything() == *(const uint64_t *)expected);
    return NULL;
}

TEST(LB_02_two_profiles_in_two_threads_do_everything)
{
    uint64_t expected;
    atomic_store(&mistakes, 0);
    expected = do_everything();
    assert_int_equal(atomic_load(&mistakes), 0);
    run_threads(repeat_everything, &expected);
}

/* ---- Every question ----------------------------------------------------- */

enum { MOST_ANSWERS = 64 };

/* Profiles that threads share, and the answer of each to each question. */
typedef struct shared {
    const char *path;
    tfprof_profile *profile;
    pthread_mutex_t turn;
    atomic_bool is_closed;
    atomic_int asked;
    int statuses[MOST_ANSWERS];
    uint64_t sums[MOST_ANSWERS];
    size_t count;
} shared;

static tfprof_profile *open_path(const char *path)
{
    tfprof_profile *p = tfprof_profile_new();
    NOTE_UNLESS(tfprof_profile_add_path(p, path, NULL, NULL) == TFPROF_OK);
    return p;
}

/* Asks the question `wanted`, counted through all types. False past the last
 * one. */
static bool ask_one(tfprof_profile *p, const char *path, size_t wanted,
                    int *status, uint64_t *sum)
{
    asking a = { .write = add_up, .context = sum, .path = path };
    tfprof_error err;
    const char *type;
    *sum = 0;
    for (size_t i = 0; i < ASKING_KINDS; i++) {
        const asking_question *q = &asking_questions[i];
        for (size_t t = 0; (type = asking_type(q, t)) != NULL; t++) {
            if (wanted-- > 0)
                continue;
            *status = q->ask(p, type, &a, &err);
            return true;
        }
    }
    return false;
}

static void check_one(const shared *s, tfprof_profile *p, size_t question)
{
    uint64_t sum;
    int status = TFPROF_OK;
    NOTE_UNLESS(ask_one(p, s->path, question, &status, &sum));
    NOTE_UNLESS(status == s->statuses[question]);
    NOTE_UNLESS(sum == s->sums[question]);
}

/* The expected answers: those of a profile that only one thread has. */
static void shared_init(shared *s, const char *path)
{
    *s = (shared){ .path = path };
    atomic_store(&mistakes, 0);
    s->profile = open_path(path);
    while (s->count < MOST_ANSWERS &&
           ask_one(s->profile, path, s->count, &s->statuses[s->count],
                   &s->sums[s->count]))
        s->count++;
    assert_in_range(s->count, 20, MOST_ANSWERS - 1);
    assert_int_equal(pthread_mutex_init(&s->turn, NULL), 0);
    assert_int_equal(atomic_load(&mistakes), 0);
}

static void shared_release(shared *s)
{
    tfprof_profile_free(s->profile);
    pthread_mutex_destroy(&s->turn);
}

/* The questions in another order in each thread, of a profile of its own. */
static void *ask_own(void *context)
{
    shared *s = context;
    size_t first = (size_t)atomic_fetch_add(&s->asked, 7);
    tfprof_profile *p = open_path(s->path);
    for (size_t i = 0; i < s->count; i++)
        check_one(s, p, (first + i * 11) % s->count);
    tfprof_profile_free(p);
    return NULL;
}

/* The same of the profile that all share, with options of its own in between,
 * until it is closed. */
static void *ask_shared(void *context)
{
    shared *s = context;
    size_t first = (size_t)atomic_fetch_add(&s->asked, 7);
    for (size_t i = 0; i < s->count; i++) {
        pthread_mutex_lock(&s->turn);
        if (s->profile) {
            NOTE_UNLESS(tfprof_profile_set(s->profile, "max_memory",
                                           i % 2 ? "1" : "1G",
                                           NULL) == TFPROF_OK);
            (void)asking_options(
                s->profile, "",
                &(asking){ .write = add_up, .context = &(uint64_t){ 0 } },
                NULL);
            NOTE_UNLESS(tfprof_profile_set(s->profile, "max_memory", "0",
                                           NULL) == TFPROF_OK);
            check_one(s, s->profile, (first + i * 11) % s->count);
        }
        pthread_mutex_unlock(&s->turn);
    }
    return NULL;
}

static void ask_everything(const char *name)
{
    char path[1024];
    shared s;
    snprintf(path, sizeof(path), "%s/%s", TFPROF_TEST_DATA, name);
    shared_init(&s, path);
    run_threads(ask_own, &s);
    run_threads(ask_shared, &s);
    shared_release(&s);
}

TEST(LB_02_every_question_in_many_threads)
{
    ask_everything("traces/gen_jax-cpu.xplane.pb");
    ask_everything("traces/gen_tf-gpu.xplane.pb");
    ask_everything("profile");
}

static int is_closed(void *context)
{
    return atomic_load(&((shared *)context)->is_closed);
}

/* Asks until the profile is closed, which cancels the question that runs. */
static void *ask_until_closed(void *context)
{
    shared *s = context;
    for (size_t i = 0;; i++) {
        uint64_t sum;
        int status = TFPROF_OK;
        size_t question = i % s->count;
        bool is_open;
        pthread_mutex_lock(&s->turn);
        is_open = s->profile != NULL;
        if (is_open)
            ask_one(s->profile, s->path, question, &status, &sum);
        NOTE_UNLESS(!is_open || status == s->statuses[question] ||
                    (status == TFPROF_ERR_CANCELLED && is_closed(s)));
        pthread_mutex_unlock(&s->turn);
        atomic_fetch_add(&s->asked, 1);
        if (!is_open)
            return NULL;
    }
}

static void *close_soon(void *context)
{
    shared *s = context;
    int before = atomic_load(&s->asked);
    while (atomic_load(&s->asked) < before + 3)
        usleep(100);
    atomic_store(&s->is_closed, true);
    pthread_mutex_lock(&s->turn);
    tfprof_profile_free(s->profile);
    s->profile = NULL;
    pthread_mutex_unlock(&s->turn);
    return NULL;
}

TEST(LB_02_a_profile_is_closed_while_others_ask)
{
    char path[1024];
    shared s;
    snprintf(path, sizeof(path), "%s/traces/gen_jax-cpu.xplane.pb",
             TFPROF_TEST_DATA);
    shared_init(&s, path);
    for (int i = 0; i < ROUNDS; i++) {
        pthread_t closer;
        if (!s.profile)
            s.profile = open_path(path);
        atomic_store(&s.is_closed, false);
        tfprof_profile_on_cancel(s.profile, is_closed, &s);
        assert_int_equal(pthread_create(&closer, NULL, close_soon, &s), 0);
        run_threads(ask_until_closed, &s);
        pthread_join(closer, NULL);
        assert_null(s.profile);
    }
    shared_release(&s);
}

/* ---- One view, many readers --------------------------------------------- */

typedef struct reading {
    tfprof_view *view;
    uint64_t expected;
} reading;

static void *read_view(void *context)
{
    const reading *r = context;
    for (int i = 0; i < ROUNDS * 10; i++)
        NOTE_UNLESS(walk(r->view) == r->expected);
    return NULL;
}

TEST(LB_02_a_view_is_read_by_many_threads)
{
    tfprof_profile *p = load();
    reading r = { 0 };
    assert_ok(tfprof_profile_view(p, "scope", &r.view, NULL));
    tfprof_profile_free(p);
    r.expected = walk(r.view);
    run_threads(read_view, &r);
    tfprof_view_free(r.view);
}

/* ---- Freed elsewhere ---------------------------------------------------- */

static void *free_view(void *view)
{
    tfprof_view_free(view);
    return NULL;
}

TEST(LB_02_a_view_is_freed_by_another_thread)
{
    tfprof_profile *p = load();
    tfprof_view *view;
    pthread_t thread;
    assert_ok(tfprof_profile_view(p, "op", &view, NULL));
    assert_int_equal(pthread_create(&thread, NULL, free_view, view), 0);
    assert_ok(tfprof_profile_view(p, "op", &view, NULL));
    pthread_join(thread, NULL);
    tfprof_view_free(view);
    tfprof_profile_free(p);
}

/* ---- Cancelled from another thread -------------------------------------- */

/* A request, and what it takes: far more asks than it may need. */
typedef struct request {
    atomic_bool is_made;
    atomic_bool has_begun; /* the work that is to be cancelled */
    struct timespec made_at;
} request;

static int64_t micros_since(const struct timespec *then)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (now.tv_sec - then->tv_sec) * 1000000 +
           (now.tv_nsec - then->tv_nsec) / 1000;
}

static void *make_request(void *context)
{
    request *r = context;
    while (!atomic_load(&r->has_begun))
        usleep(100);
    usleep(2000);
    clock_gettime(CLOCK_MONOTONIC, &r->made_at);
    atomic_store(&r->is_made, true);
    return NULL;
}

static int is_made(void *context)
{
    request *r = context;
    atomic_store(&r->has_begun, true);
    return atomic_load(&r->is_made);
}

static int is_made_while_reading(void *context, const char *path,
                                 int64_t bytes_read, int64_t size)
{
    (void)path;
    (void)bytes_read;
    (void)size;
    return is_made(context);
}

/* A graph that has no end. */
static ptrdiff_t read_nodes(void *context, void *buffer, size_t size)
{
    uint64_t *number = context;
    wire_bytes node = { 0 };
    size_t used = 0;
    while (size - used > 64) {
        char name[32];
        size_t at = wire_open(&node, 1);
        snprintf(name, sizeof(name), "scope/n%llu",
                 (unsigned long long)++*number);
        wire_text(&node, 1, name);
        wire_text(&node, 2, "NoOp");
        wire_close(&node, at);
        memcpy((uint8_t *)buffer + used, node.data, node.size);
        used += node.size;
        wire_free(&node);
    }
    return (ptrdiff_t)used;
}

TEST(LB_02_a_load_is_cancelled_by_another_thread)
{
    tfprof_profile *p = tfprof_profile_new();
    request r = { 0 };
    uint64_t number = 0;
    pthread_t thread;
    int status;
    tfprof_profile_on_progress(p, is_made_while_reading, &r);
    assert_int_equal(pthread_create(&thread, NULL, make_request, &r), 0);
    status = tfprof_profile_add_callback(p, "endless", read_nodes, &number,
                                         "graph_path", NULL);
    pthread_join(thread, NULL);
    assert_int_equal(status, TFPROF_ERR_CANCELLED);
    print_message("a load returned %lld us after the request, at node %llu\n",
                  (long long)micros_since(&r.made_at),
                  (unsigned long long)number);
    tfprof_profile_free(p);
}

/* So many nodes, and then the end. */
static ptrdiff_t read_some_nodes(void *context, void *buffer, size_t size)
{
    return *(uint64_t *)context > 100000 ? 0
                                         : read_nodes(context, buffer, size);
}

TEST(LB_02_a_view_is_cancelled_by_another_thread)
{
    tfprof_profile *p = tfprof_profile_new();
    uint64_t number = 0;
    request r = { 0 };
    tfprof_view *view = NULL;
    pthread_t thread;
    int status = TFPROF_OK;
    assert_ok(tfprof_profile_add_callback(p, "graph", read_some_nodes, &number,
                                          "graph_path", NULL));
    tfprof_profile_on_cancel(p, is_made, &r);
    assert_int_equal(pthread_create(&thread, NULL, make_request, &r), 0);
    while (status == TFPROF_OK) { /* until the request comes */
        tfprof_view_free(view);
        status = tfprof_profile_view(p, "scope", &view, NULL);
    }
    pthread_join(thread, NULL);
    assert_int_equal(status, TFPROF_ERR_CANCELLED);
    assert_null(view);
    print_message("a view returned %lld us after the request\n",
                  (long long)micros_since(&r.made_at));
    tfprof_profile_on_cancel(p, NULL, NULL);
    assert_ok(tfprof_profile_view(p, "scope", &view, NULL));
    tfprof_view_free(view);
    tfprof_profile_free(p);
}
