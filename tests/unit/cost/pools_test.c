/*
 * pools_test.c - the peak, the curve and the live set of a pool, against a
 * model that looks at every event for every question.
 */
#include "counting.h"

#include "model/pools.h"

enum { MOST = 400, KINDS = 5, ADDRESSES = 12 };

/* ---- A pool of events --------------------------------------------------- */

typedef struct pooling {
    counting counts;
    tfp_memory memory;
    tfp_interner kinds;
    uint32_t kind[KINDS];
    tfp_pool_event events[MOST];
    size_t count;
    tfp_pool pool;
    size_t peak_event;
} pooling;

static void pooling_init(pooling *p)
{
    *p = (pooling){ .count = 0 };
    tfp_memory_init(&p->memory, counting_resize, &p->counts);
    assert_true(tfp_interner_init(&p->kinds, &p->memory, 4, 7));
    for (uint32_t i = 0; i < KINDS; i++) {
        tfp_live_kind kind = { .name = 100 + i, .holder = TFP_HOLDER_NODE };
        p->kind[i] = tfp_pool_kind(&p->kinds, &kind);
        assert_int_equal(p->kind[i], i + 1);
    }
}

static void pooling_release(pooling *p)
{
    tfp_pool_release(&p->pool, &p->memory);
    tfp_interner_release(&p->kinds);
    assert_int_equal(p->memory.held, 0);
    counting_check(&p->counts);
}

FIXTURE(pooling, p);

static int try_find(void)
{
    tfp_pool_request request = { .events = p.events,
                                 .count = p.count,
                                 .kinds = &p.kinds,
                                 .finds_peaks = true };
    tfprof_error err = { .code = TFPROF_OK };
    int status;
    tfp_pool_release(&p.pool, &p.memory);
    p.pool = (tfp_pool){ 0 };
    status = tfp_pool_find(&p.pool, &p.memory, &request, &p.peak_event, &err);
    assert_int_equal(err.code, status);
    return status;
}

static void look(void)
{
    assert_ok(try_find());
}

/* An event with an address whose level is told, unless it is -1. */
static void put(int64_t at, int64_t bytes, uint64_t address, int64_t level)
{
    tfp_pool_event e = { .at = at,
                         .bytes = bytes < 0 ? -bytes : bytes,
                         .requested = bytes > 0 ? bytes - 1 : 0,
                         .level = level == -1 ? TFP_LEVEL_UNTOLD : level,
                         .address = address,
                         .has_address = 1,
                         .is_free = bytes < 0,
                         .kind = p.kind[address % KINDS] & 0xffff };
    assert_true(p.count < MOST);
    p.events[p.count++] = e;
}

static int64_t live_of(uint32_t kind)
{
    for (size_t i = 0; i < p.pool.live.count; i++) {
        if (p.pool.live.data[i].kind.name == 100 + kind)
            return p.pool.live.data[i].bytes;
    }
    return 0;
}

/* ---- By hand ------------------------------------------------------------ */

TEST(finds_the_peak_and_who_holds_it)
{
    put(10, 100, 1, -1);
    put(20, 50, 2, -1);
    put(30, -100, 1, -1);
    put(40, 70, 3, -1);
    look();
    assert_int_equal(p.pool.peak, 150);
    assert_int_equal(p.pool.peak_at, 20);
    assert_int_equal(p.peak_event, 1);
    assert_int_equal(p.pool.live.count, 2);
    assert_int_equal(p.pool.live.data[0].kind.name, 101);
    assert_int_equal(p.pool.live.data[0].bytes, 100);
    assert_int_equal(p.pool.live.data[0].requested, 99);
    assert_int_equal(p.pool.live.data[1].bytes, 50);
    assert_int_equal(p.pool.unaccounted, 0);
    assert_int_equal(p.pool.missing_frees, 0);
    assert_int_equal(p.pool.allocations, 3);
    assert_int_equal(p.pool.frees, 1);
    assert_int_equal(p.pool.points, 31); /* one for each picosecond */
    assert_int_equal(p.pool.curve[0], 100);
    assert_int_equal(p.pool.curve[9], 100);
    assert_int_equal(p.pool.curve[10], 150);
    assert_int_equal(p.pool.curve[20], 150); /* it begins with that */
    assert_int_equal(p.pool.curve[21], 50);
    assert_int_equal(p.pool.curve[30], 120);
}

TEST(events_of_several_threads_go_by_time)
{
    put(10, 100, 1, -1);
    put(30, -100, 1, -1); /* the first thread ends here */
    put(40, 60, 2, -1);
    look();
    assert_int_equal(p.pool.peak, 100);
    p.events[2].at = 20;
    look();
    assert_int_equal(p.pool.peak, 160);
    assert_int_equal(p.pool.peak_at, 20);
}

TEST(the_allocator_knows_the_level)
{
    put(10, 100, 1, 5100);
    p.events[0].reserved = 1000;
    put(20, -40, 9, 5060); /* allocated before */
    put(30, -30, 8, 5030);
    look();
    assert_int_equal(p.pool.peak, 5100);
    assert_int_equal(p.pool.peak_at, 10);
    assert_int_equal(p.pool.reserved, 1000);
    assert_int_equal(p.pool.early, 70);
    assert_int_equal(p.pool.early_count, 2);
    assert_int_equal(p.pool.unaccounted, 5100 - 1000 - 70 - 100);
}

TEST(memory_that_is_freed_was_there_before)
{
    put(10, -300, 1, -1);
    put(20, 100, 2, -1);
    look();
    assert_int_equal(p.pool.peak, 100);
    assert_int_equal(p.pool.unaccounted, 0);
    put(5, 10, 3, -1);
    look();
    assert_int_equal(p.pool.peak, 300);
    assert_int_equal(p.pool.peak_at, 5);
    assert_int_equal(p.pool.early, 300);
    assert_int_equal(p.pool.missing_frees, 10);
}

TEST(of_equal_peaks_the_last_counts)
{
    put(10, 100, 1, 900);
    put(20, -100, 1, 800);
    put(30, 100, 2, 900);
    look();
    assert_int_equal(p.pool.peak_at, 30);
    assert_int_equal(live_of(2), 100);
    assert_int_equal(live_of(1), 0);
}

TEST(blocks_without_address_go_by_holder)
{
    put(10, 100, 1, -1);
    put(20, 60, 6, -1); /* the same holder */
    put(30, -100, 1, -1);
    put(40, 500, 2, -1);
    for (size_t i = 0; i < p.count; i++)
        p.events[i].has_address = 0;
    look();
    assert_int_equal(p.pool.peak, 560);
    assert_int_equal(live_of(1), 60);
    assert_int_equal(live_of(2), 500);
    assert_int_equal(p.pool.live.data[1].count, 1);
}

/* ---- Faults ------------------------------------------------------------- */

TEST(a_reused_address_has_one_block)
{
    put(10, 100, 1, -1);
    put(20, 70, 1, -1); /* its free was lost */
    look();
    assert_int_equal(p.pool.peak, 170);
    assert_int_equal(live_of(1), 70);
    assert_int_equal(p.pool.unaccounted, 100);
}

TEST(a_second_free_is_counted)
{
    put(10, 100, 1, 100);
    put(20, -100, 1, 0);
    put(30, -100, 1, 0);
    put(40, -5, 4, 0); /* known to nobody: there before */
    look();
    assert_int_equal(p.pool.unmatched_frees, 1);
    assert_int_equal(p.pool.early, 5);
    assert_int_equal(p.pool.missing_frees, 5);
}

TEST(sizes_below_0_count_as_none)
{
    put(10, 100, 1, -1);
    p.events[0].bytes = -100;
    put(20, 50, 2, -1);
    p.events[1].requested = -1;
    put(30, 10, 3, -50);
    look();
    assert_int_equal(p.pool.odd_records, 3);
    assert_int_equal(p.pool.peak, 50);
    assert_int_equal(p.pool.live.count, 1);
    assert_int_equal(p.pool.live.data[0].requested, 0);
}

TEST(sums_and_times_stop_at_their_ends)
{
    put(INT64_MIN, INT64_MAX, 1, -1);
    put(INT64_MAX, INT64_MAX, 2, -1);
    put(0, INT64_MAX, 6, -1);
    look();
    assert_int_equal(p.pool.peak, INT64_MAX);
    assert_int_equal(p.pool.points, TFP_POOL_POINTS);
    assert_int_equal(live_of(1), INT64_MAX);
    assert_int_equal(p.pool.unaccounted, 0);
    assert_int_equal(p.pool.missing_frees, INT64_MAX);
    for (size_t i = 0; i < p.count; i++)
        p.events[i].is_free = 1;
    look();
    assert_int_equal(p.pool.early, 0);
    assert_int_equal(p.pool.live.count, 0);
}

/* ---- Against a naive model ---------------------------------------------- */

typedef struct naive {
    size_t order[MOST];
    int64_t level[MOST]; /* after each, by place */
    size_t peak;
} naive;

static int64_t moved(const tfp_pool_event *e)
{
    return e->is_free ? -e->bytes : e->bytes;
}

static void run_naive(naive *n)
{
    int64_t level = 0, low = 0;
    bool told = false;
    for (size_t i = 0; i < p.count; i++) { /* insertion, stable */
        size_t k = i;
        for (; k > 0 && p.events[n->order[k - 1]].at > p.events[i].at; k--)
            n->order[k] = n->order[k - 1];
        n->order[k] = i;
        told |= p.events[i].level != TFP_LEVEL_UNTOLD;
    }
    for (size_t i = 0; i < p.count; i++) {
        level += moved(&p.events[n->order[i]]);
        low = level < low ? level : low;
    }
    level = told ? 0 : -low;
    n->peak = 0;
    for (size_t i = 0; i < p.count; i++) {
        const tfp_pool_event *e = &p.events[n->order[i]];
        level = e->level != TFP_LEVEL_UNTOLD ? e->level : level + moved(e);
        level = level < 0 ? 0 : level;
        n->level[i] = level;
        if (level >= n->level[n->peak])
            n->peak = i;
    }
}

/* The block at an address up to a place; NULL when it is free. */
static const tfp_pool_event *held_at(const naive *n, uint64_t address,
                                     size_t place)
{
    const tfp_pool_event *held = NULL;
    for (size_t i = 0; i <= place; i++) {
        const tfp_pool_event *e = &p.events[n->order[i]];
        if (e->has_address && e->address == address)
            held = e->is_free ? NULL : e;
    }
    return held;
}

static int64_t early_at(const naive *n, uint64_t address)
{
    for (size_t i = 0; i < p.count; i++) {
        const tfp_pool_event *e = &p.events[n->order[i]];
        if (e->has_address && e->address == address)
            return e->is_free && i > n->peak ? e->bytes : 0;
    }
    return 0;
}

/* What each kind holds after a place. */
static void find_held(const naive *n, size_t place, int64_t bytes[KINDS])
{
    memset(bytes, 0, KINDS * sizeof(*bytes));
    for (uint64_t a = 0; a < ADDRESSES; a++) {
        const tfp_pool_event *held = held_at(n, a, place);
        if (held)
            bytes[held->kind - 1] += held->bytes;
    }
    for (size_t i = 0; i <= place; i++) {
        const tfp_pool_event *e = &p.events[n->order[i]];
        if (!e->has_address)
            bytes[e->kind - 1] += moved(e);
    }
}

static void check_live(const naive *n)
{
    int64_t bytes[KINDS], early = 0, sum = 0, rest;
    find_held(n, n->peak, bytes);
    for (uint64_t a = 0; a < ADDRESSES; a++)
        early += early_at(n, a);
    for (uint32_t k = 0; k < KINDS; k++) {
        assert_int_equal(live_of(k), bytes[k] > 0 ? bytes[k] : 0);
        sum += bytes[k] > 0 ? bytes[k] : 0;
    }
    assert_int_equal(p.pool.early, early);
    rest = p.pool.peak - early - sum;
    assert_int_equal(p.pool.unaccounted, rest > 0 ? rest : 0);
    assert_int_equal(p.pool.missing_frees, rest < 0 ? -rest : 0);
    for (size_t i = 1; i < p.pool.live.count; i++)
        assert_true(p.pool.live.data[i - 1].bytes >= p.pool.live.data[i].bytes);
}

/* Whether a point is higher than the next one and than the last other one
 * before it. */
static bool is_lower_peak(const tfp_pool *pool, size_t point)
{
    int64_t bytes = pool->fine.data[point].bytes, before = -1;
    for (size_t i = 0; i < point; i++) {
        if (pool->fine.data[i].bytes != bytes)
            before = pool->fine.data[i].bytes;
    }
    return bytes > 0 && pool->fine.data[point].at != pool->peak_at &&
           bytes > before &&
           (point + 1 == pool->fine.count ||
            bytes > pool->fine.data[point + 1].bytes);
}

static void check_peaks(const naive *n)
{
    const tfp_pool *pool = &p.pool;
    size_t next = 0, all = 0;
    for (size_t i = 0; i < pool->fine.count; i++) {
        int64_t bytes[KINDS];
        const tfp_pool_peak *peak;
        size_t held = 0;
        if (!is_lower_peak(pool, i))
            continue;
        all++;
        if (next == pool->peaks.count || pool->peaks.data[next].point != i)
            continue; /* there are more than are kept */
        peak = &pool->peaks.data[next++];
        find_held(n, pool->fine.data[i].place, bytes);
        for (uint32_t k = 0; k < KINDS; k++) {
            int64_t found = 0;
            for (size_t j = 0; j < peak->count; j++) {
                if (peak->live[j].kind.name == 100 + k)
                    found = peak->live[j].bytes;
            }
            assert_int_equal(found, bytes[k] > 0 ? bytes[k] : 0);
            held += bytes[k] > 0;
        }
        assert_int_equal(peak->count, held);
        assert_int_equal(peak->others, 0);
    }
    assert_int_equal(next, pool->peaks.count);
    assert_int_equal(next, all < TFP_POOL_PEAKS ? all : TFP_POOL_PEAKS);
}

/* Each part of the time by itself, from all events. */
static void check_curve(const naive *n)
{
    int64_t first = p.events[n->order[0]].at;
    int64_t last = p.events[n->order[p.count - 1]].at;
    int64_t width = (last - first) / TFP_POOL_POINTS + 1;
    assert_int_equal(p.pool.points, (last - first) / width + 1);
    for (size_t b = 0; b < p.pool.points; b++) {
        int64_t start = first + (int64_t)b * width, most = -1, before = -1;
        for (size_t i = 0; i < p.count; i++) {
            int64_t at = p.events[n->order[i]].at;
            if (at < start)
                before = n->level[i];
            else if (at < start + width && n->level[i] > most)
                most = n->level[i];
        }
        assert_int_equal(p.pool.curve[b], most > before ? most : before);
    }
}

static void random_event(uint64_t *seed, uint64_t told, uint64_t span)
{
    uint64_t r = counting_random(seed), address = (r >> 8) % ADDRESSES;
    int64_t bytes = (int64_t)((r >> 20) % 100) + 1;
    int64_t level = told == 0 || (told == 1 && (r >> 40) % 2)
                        ? -1
                        : (int64_t)((r >> 44) % 1000);
    put((int64_t)((r >> 30) % span), (r >> 60) % 2 ? bytes : -bytes, address,
        level);
    p.events[p.count - 1].has_address = (r >> 59) % 8 != 0;
}

TEST(random_events_agree_with_a_naive_model)
{
    uint64_t seed = counting_seed();
    for (int round = 0; round < 600; round++) {
        static naive n;
        size_t count = (size_t)(counting_random(&seed) >> 40) % 120 + 1;
        uint64_t told = (counting_random(&seed) >> 40) % 3;
        uint64_t span = round % 2 ? 50 : 100000;
        restart();
        while (p.count < count)
            random_event(&seed, told, span);
        look();
        run_naive(&n);
        assert_int_equal(p.pool.peak, n.level[n.peak]);
        assert_int_equal(p.peak_event, n.order[n.peak]);
        assert_int_equal(p.pool.peak_at, p.events[n.order[n.peak]].at);
        check_live(&n);
        check_curve(&n);
        check_peaks(&n);
    }
}

/* More holders than a lower peak lists, and more peaks than are kept. */
TEST(the_highest_peaks_and_holders_are_kept)
{
    enum { ROUNDS = 60 };
    uint32_t kinds[30];
    for (uint32_t i = 0; i < 30; i++) {
        tfp_live_kind kind = { .name = 200 + i, .holder = TFP_HOLDER_NODE };
        kinds[i] = tfp_pool_kind(&p.kinds, &kind);
        put(0, i + 1, 1000 + i, -1);
        p.events[p.count - 1].kind = kinds[i] & 0xffff;
    }
    for (int i = 0; i < ROUNDS; i++) { /* each peak is higher than the last */
        put(10 + 2 * i, 1000 + i, 1, -1);
        put(11 + 2 * i, -1000 - i, 1, -1);
    }
    look();
    assert_int_equal(p.pool.peaks.count, TFP_POOL_PEAKS);
    for (size_t i = 0; i < TFP_POOL_PEAKS; i++) {
        const tfp_pool_peak *peak = &p.pool.peaks.data[i];
        int64_t round = (int64_t)i + ROUNDS - 1 - TFP_POOL_PEAKS;
        assert_int_equal(p.pool.fine.data[peak->point].at, 10 + 2 * round);
        assert_int_equal(peak->count, TFP_POOL_PEAK_HOLDERS);
        assert_int_equal(peak->live[0].bytes, 1000 + round);
        assert_int_equal(peak->live[1].bytes, 30);
        assert_int_equal(peak->others, 11 * 12 / 2);
    }
}

TEST(every_allocation_may_fail)
{
    size_t calls;
    for (int i = 0; i < 50; i++)
        put(i, 10 + i, (uint64_t)i, -1);
    p.counts.calls = 0;
    look();
    calls = p.counts.calls;
    assert_true(calls > 3);
    for (size_t k = 1; k <= calls; k++) {
        p.counts.calls = 0;
        p.counts.fail_at = k;
        assert_int_equal(try_find(), TFPROF_ERR_NOMEM);
    }
}

static int always(void *context)
{
    (void)context;
    return 1;
}

TEST(a_search_can_be_cancelled)
{
    static tfp_pool_event many[10000];
    tfp_cancel cancel = { always, NULL };
    tfp_pool_request request = { .events = many,
                                 .count = COUNT(many),
                                 .cancel = &cancel };
    request.kinds = &p.kinds;
    assert_int_equal(
        tfp_pool_find(&p.pool, &p.memory, &request, &p.peak_event, NULL),
        TFPROF_ERR_CANCELLED);
}
