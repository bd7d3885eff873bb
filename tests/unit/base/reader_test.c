/*
 * reader_test.c - a window over an input that comes as it likes.
 */
#include "counting.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/reader.h"

enum { FIRST_WINDOW = 32 << 10, WINDOW = 1 << 20 };

/* Byte i is i * 31 >> 3, so that a byte out of place is noticed. */
static uint8_t byte_at(int64_t offset)
{
    return (uint8_t)(offset * 31 >> 3);
}

typedef struct feed {
    int64_t at, size;
    size_t piece;    /* bytes a read gives at most */
    int64_t fail_at; /* the read at this offset fails; -1 never */
    int reads;
} feed;

static ptrdiff_t read_feed(void *self, void *buffer, size_t size,
                           tfprof_error *err)
{
    feed *f = self;
    size_t n = size < f->piece ? size : f->piece;
    f->reads++;
    assert_true(size > 0);
    if (f->at == f->fail_at)
        return tfp_fail(err, TFPROF_ERR_IO, -1, "cannot read: it is broken");
    if ((int64_t)n > f->size - f->at)
        n = (size_t)(f->size - f->at);
    if (f->fail_at > f->at && (int64_t)n > f->fail_at - f->at)
        n = (size_t)(f->fail_at - f->at);
    for (size_t i = 0; i < n; i++)
        ((uint8_t *)buffer)[i] = byte_at(f->at + (int64_t)i);
    f->at += (int64_t)n;
    return (ptrdiff_t)n;
}

typedef struct fixture {
    counting counts;
    tfp_memory memory;
    feed feed;
    tfp_reader reader;
} fixture;

static void begin(fixture *f, int64_t size, size_t piece, int64_t limit)
{
    *f = (fixture){ .feed = { .size = size, .piece = piece, .fail_at = -1 } };
    tfp_memory_init(&f->memory, counting_resize, &f->counts);
    tfp_reader_init(&f->reader, &f->memory, (tfp_source){ read_feed, &f->feed },
                    limit);
    assert_int_equal(f->memory.held, 0); /* nothing is taken yet */
}

static void end(fixture *f)
{
    tfp_reader_release(&f->reader);
    assert_int_equal(f->memory.held, 0);
    counting_check(&f->counts);
}

static void check_view(const tfp_reader *r, size_t size)
{
    tfp_span view = tfp_reader_view(r);
    int64_t offset = tfp_reader_offset(r);
    assert_true(view.size >= size);
    for (size_t i = 0; i < size; i++)
        assert_int_equal(view.data[i], byte_at(offset + (int64_t)i));
}

TEST(the_window_slides_without_growing)
{
    fixture f;
    int64_t read = 0;
    begin(&f, 10 * WINDOW + 17, SIZE_MAX, INT64_MAX);
    while (tfp_reader_need(&f.reader, 1)) {
        size_t step = (size_t)(read % 997 + 1);
        if (!tfp_reader_need(&f.reader, step))
            step = tfp_reader_view(&f.reader).size;
        assert_int_equal(tfp_reader_offset(&f.reader), read);
        check_view(&f.reader, step);
        f.reader.at += step;
        read += (int64_t)step;
    }
    assert_int_equal(read, 10 * WINDOW + 17);
    assert_ok(f.reader.status);
    assert_int_equal(f.memory.peak, WINDOW);
    end(&f);
}

TEST(the_window_grows_for_one_large_record_as_bytes_arrive)
{
    fixture f;
    begin(&f, 5 * WINDOW, SIZE_MAX, INT64_MAX);
    assert_true(tfp_reader_need(&f.reader, 10));
    f.reader.at += 10;
    assert_true(tfp_reader_need(&f.reader, 3 * WINDOW));
    check_view(&f.reader, 3 * WINDOW);
    assert_int_equal(f.reader.capacity, 4 * WINDOW);
    end(&f);
    /* A claim of a terabyte takes what is there and no more. */
    begin(&f, 1000, SIZE_MAX, INT64_MAX);
    assert_false(tfp_reader_need(&f.reader, (size_t)1 << 40));
    assert_ok(f.reader.status);
    assert_int_equal(f.memory.peak, FIRST_WINDOW);
    check_view(&f.reader, 1000);
    end(&f);
}

TEST(IN_05_short_reads_of_one_byte_are_put_together)
{
    fixture f;
    begin(&f, 5000, 1, INT64_MAX);
    assert_true(tfp_reader_need(&f.reader, 4000));
    check_view(&f.reader, 4000);
    assert_true(tfp_reader_skip(&f.reader, 4500));
    assert_int_equal(tfp_reader_offset(&f.reader), 4500);
    assert_true(tfp_reader_need(&f.reader, 500));
    check_view(&f.reader, 500);
    assert_false(tfp_reader_need(&f.reader, 501));
    assert_ok(f.reader.status);
    assert_true(f.reader.ended);
    assert_int_equal(f.feed.reads, 5001);
    assert_false(tfp_reader_need(&f.reader, 501)); /* asks no more */
    assert_int_equal(f.feed.reads, 5001);
    end(&f);
}

TEST(IN_05_a_failing_read_is_remembered)
{
    static const int64_t places[] = { 0, 1, 4999, WINDOW, WINDOW + 1 };
    EACH(row, places) {
        fixture f;
        begin(&f, 3 * WINDOW, SIZE_MAX, INT64_MAX);
        f.feed.fail_at = *row;
        assert_false(tfp_reader_skip(&f.reader, 3 * WINDOW));
        assert_int_equal(f.reader.status, TFPROF_ERR_IO);
        assert_string_equal(f.reader.why.message, "cannot read: it is broken");
        f.feed.fail_at = -1; /* it would work again, but is not asked */
        assert_false(tfp_reader_need(&f.reader, 1));
        assert_int_equal(f.reader.status, TFPROF_ERR_IO);
        end(&f);
    }
}

TEST(what_came_before_the_failure_can_still_be_read)
{
    fixture f;
    begin(&f, 1000, 7, INT64_MAX);
    f.feed.fail_at = 700;
    assert_false(tfp_reader_need(&f.reader, 1000));
    assert_int_equal(tfp_reader_view(&f.reader).size, 700);
    check_view(&f.reader, 700);
    assert_true(tfp_reader_skip(&f.reader, 700));
    assert_false(tfp_reader_need(&f.reader, 1));
    end(&f);
}

TEST(the_limit_holds_at_its_byte)
{
    static const size_t pieces[] = { 1, 10, SIZE_MAX };
    for (size_t i = 0; i < 3; i++) {
        for (int64_t size = 99; size <= 101; size++) {
            fixture f;
            begin(&f, size, pieces[i], 100);
            assert_false(tfp_reader_need(&f.reader, 1000));
            assert_int_equal(f.reader.status,
                             size > 100 ? TFPROF_ERR_LIMIT : TFPROF_OK);
            if (size > 100) {
                assert_int_equal(f.reader.why.offset, 100);
                assert_string_equal(f.reader.why.message,
                                    "input exceeds the limit of 100 "
                                    "bytes (see --max_input)");
            }
            end(&f);
        }
    }
}

TEST(a_skip_counts_in_64_bits)
{
    fixture f;
    begin(&f, 100, SIZE_MAX, INT64_MAX);
    assert_false(tfp_reader_skip(&f.reader, UINT64_MAX));
    assert_ok(f.reader.status);
    assert_int_equal(tfp_reader_offset(&f.reader), 100);
    end(&f);
    begin(&f, 100, SIZE_MAX, INT64_MAX);
    assert_false(tfp_reader_skip(&f.reader, ((uint64_t)1 << 32) + 50));
    end(&f);
}

TEST(ME_03_a_window_that_cannot_grow_keeps_its_bytes)
{
    fixture f;
    begin(&f, 3 * WINDOW, SIZE_MAX, INT64_MAX);
    f.counts.fail_at = 1;
    f.counts.growths_only = true;
    assert_false(tfp_reader_need(&f.reader, 2 * WINDOW));
    assert_int_equal(f.reader.status, TFPROF_ERR_NOMEM);
    assert_int_equal(f.counts.refused, 1);
    check_view(&f.reader, FIRST_WINDOW);
    end(&f);
}

static int count_and_cancel(void *self, int64_t bytes_read)
{
    int64_t *last = self;
    assert_true(bytes_read >= *last);
    *last = bytes_read;
    return bytes_read >= 2 * WINDOW;
}

TEST(progress_is_told_and_can_cancel)
{
    fixture f;
    int64_t last = 0;
    begin(&f, 9 * WINDOW, SIZE_MAX, INT64_MAX);
    f.reader.progress = count_and_cancel;
    f.reader.progress_self = &last;
    assert_false(tfp_reader_skip(&f.reader, 9 * WINDOW));
    assert_int_equal(f.reader.status, TFPROF_ERR_CANCELLED);
    assert_int_equal(last, 2 * WINDOW + FIRST_WINDOW);
    end(&f);
}

/* ---- Descriptors -------------------------------------------------------- */

TEST(IN_05_the_reason_of_a_failed_read_is_told)
{
    int fd = open("/", O_RDONLY | O_DIRECTORY);
    tfprof_error err;
    uint8_t buffer[10];
    tfp_source source = tfp_source_fd(&fd);
    assert_true(fd >= 0);
    assert_int_equal(source.read(source.self, buffer, 10, &err), TFPROF_ERR_IO);
    assert_string_equal(err.message, "cannot read: Is a directory");
    close(fd);
    assert_int_equal(source.read(source.self, buffer, 10, &err), TFPROF_ERR_IO);
    assert_string_equal(err.message, "cannot read: Bad file descriptor");
}

static int alarms, write_end;

/* Bytes arrive only with the third alarm: two reads are interrupted. */
static void on_alarm(int signal_number)
{
    (void)signal_number;
    if (++alarms == 3)
        (void)!write(write_end, "ab", 2);
}

typedef struct asked {
    int times, stop_at; /* the answer is to stop at that time */
} asked;

static int on_interrupt(void *self, int64_t bytes_read)
{
    asked *a = self;
    assert_int_equal(bytes_read, 0);
    return ++a->times == a->stop_at;
}

/* Reads from a pipe that gives nothing before the third alarm. */
static void wait_interrupted(int flags, asked *a)
{
    struct sigaction action = { .sa_handler = on_alarm }, before;
    struct itimerval soon = { { 0, 20000 }, { 0, 20000 } }, never = { 0 };
    int ends[2] = { -1, -1 };
    tfp_memory memory;
    tfp_reader r;
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(fcntl(ends[0], F_SETFL, flags), 0);
    tfp_memory_init(&memory, NULL, NULL);
    tfp_reader_init(&r, &memory, tfp_source_fd(&ends[0]), INT64_MAX);
    r.interrupted = a ? on_interrupt : NULL;
    r.progress_self = a;
    write_end = ends[1];
    alarms = 0;
    sigaction(SIGALRM, &action, &before); /* no SA_RESTART: EINTR it is */
    setitimer(ITIMER_REAL, &soon, NULL);
    if (a && a->stop_at > 0) {
        assert_false(tfp_reader_need(&r, 2));
        assert_int_equal(r.status, TFPROF_ERR_CANCELLED);
    } else {
        assert_true(tfp_reader_need(&r, 2));
        assert_memory_equal(tfp_reader_view(&r).data, "ab", 2);
        assert_true(alarms >= 3);
    }
    setitimer(ITIMER_REAL, &never, NULL);
    sigaction(SIGALRM, &before, NULL);
    close(ends[1]);
    assert_false(tfp_reader_need(&r, 3));
    tfp_reader_release(&r);
    close(ends[0]);
}

TEST(IN_05_an_interrupted_read_is_tried_again)
{
    asked a = { 0 };
    wait_interrupted(0, NULL);
    wait_interrupted(0, &a);
    assert_true(a.times >= 2);
}

TEST(IN_05_a_pipe_that_does_not_block_is_waited_for)
{
    asked a = { 0 };
    wait_interrupted(O_NONBLOCK, NULL);
    wait_interrupted(O_NONBLOCK, &a);
    assert_true(a.times >= 2);
}

TEST(an_interrupted_read_can_be_the_last)
{
    asked first = { .stop_at = 1 }, second = { .stop_at = 2 };
    wait_interrupted(0, &first);
    assert_int_equal(first.times, 1);
    wait_interrupted(O_NONBLOCK, &second);
    assert_int_equal(second.times, 2);
}
