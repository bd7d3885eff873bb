/*
 * threads_test.c - profiles and views in several threads.
 *
 * ThreadSanitizer watches this (preset tsan); the other builds see that the
 * answers are right. One profile in two threads at a time is not allowed, and
 * not tried.
 */
#include "counting.h"
#include "samples.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#include <tfprof/tfprof.h>

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
    for (size_t i = 0; i < sizeof(data_files) / sizeof(data_files[0]); i++) {
        snprintf(path, sizeof(path), "%s/%s", TFPROF_TEST_DATA, data_files[i]);
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

static void LB_02_two_profiles_in_two_threads_do_everything(void **state)
{
    uint64_t expected;
    (void)state;
    atomic_store(&mistakes, 0);
    expected = do_everything();
    assert_int_equal(atomic_load(&mistakes), 0);
    run_threads(repeat_everything, &expected);
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

static void LB_02_a_view_is_read_by_many_threads(void **state)
{
    tfprof_profile *p = load();
    reading r = { 0 };
    (void)state;
    assert_int_equal(tfprof_profile_view(p, "scope", &r.view, NULL), TFPROF_OK);
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

static void LB_02_a_view_is_freed_by_another_thread(void **state)
{
    tfprof_profile *p = load();
    tfprof_view *view;
    pthread_t thread;
    (void)state;
    assert_int_equal(tfprof_profile_view(p, "op", &view, NULL), TFPROF_OK);
    assert_int_equal(pthread_create(&thread, NULL, free_view, view), 0);
    assert_int_equal(tfprof_profile_view(p, "op", &view, NULL), TFPROF_OK);
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

static void LB_02_a_load_is_cancelled_by_another_thread(void **state)
{
    tfprof_profile *p = tfprof_profile_new();
    request r = { 0 };
    uint64_t number = 0;
    pthread_t thread;
    int status;
    (void)state;
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

static void LB_02_a_view_is_cancelled_by_another_thread(void **state)
{
    tfprof_profile *p = tfprof_profile_new();
    uint64_t number = 0;
    request r = { 0 };
    tfprof_view *view = NULL;
    pthread_t thread;
    int status = TFPROF_OK;
    (void)state;
    assert_int_equal(tfprof_profile_add_callback(p, "graph", read_some_nodes,
                                                 &number, "graph_path", NULL),
                     TFPROF_OK);
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
    assert_int_equal(tfprof_profile_view(p, "scope", &view, NULL), TFPROF_OK);
    tfprof_view_free(view);
    tfprof_profile_free(p);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(LB_02_two_profiles_in_two_threads_do_everything),
        cmocka_unit_test(LB_02_a_view_is_read_by_many_threads),
        cmocka_unit_test(LB_02_a_view_is_freed_by_another_thread),
        cmocka_unit_test(LB_02_a_load_is_cancelled_by_another_thread),
        cmocka_unit_test(LB_02_a_view_is_cancelled_by_another_thread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
