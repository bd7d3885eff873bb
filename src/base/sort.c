/*
 * sort.c - a stable merge sort that makes use of order it finds.
 *
 * The input is cut into runs that are in order already; short ones are made
 * longer by insertion. Neighboring runs are merged as soon as the place where
 * they meet lies deep in the tree that halves the input again and again: that
 * keeps merges balanced whatever the lengths of the runs are (powersort, Munro
 * and Wild 2018). The runs that wait stand at ever deeper places, so there are
 * never more of them than a size has bits.
 */
#include "base/sort.h"

#include <stdbool.h>
#include <string.h>

enum {
    SHORT_RUN = 16, /* below it insertion is quicker than merging */
    ITEMS_BETWEEN_ASKS = 1 << 14,
    MOST_WAITING = 66 /* the first run, and depths 1 to 65 */
};

typedef struct order {
    tfp_sort_tie *tie;
    const void *context;
    const tfp_cancel *cancel;
    size_t steps;   /* since it was asked */
    bool cancelled; /* it is not asked again */
} order;

typedef struct run {
    size_t start, end;
    unsigned depth; /* of the place where it meets the run before it */
} run;

/* Is it cancelled? Asked when so many more items have been looked at. */
static inline bool is_cancelled(order *o, size_t steps)
{
    o->steps += steps;
    if (o->steps >= ITEMS_BETWEEN_ASKS) {
        o->steps = 0;
        o->cancelled = o->cancelled || tfp_cancelled(o->cancel);
    }
    return o->cancelled;
}

/* Does `a` belong before `b`, wherever they stand now? */
static inline bool before(const order *o, const tfp_sort_item *a,
                          const tfp_sort_item *b)
{
    if (a->key != b->key)
        return a->key < b->key;
    return o->tie && o->tie(o->context, a->index, b->index) < 0;
}

/* ---- Runs --------------------------------------------------------------- */

static void reverse(tfp_sort_item *first, tfp_sort_item *last)
{
    for (; first < last; first++, last--) {
        tfp_sort_item kept = *first;
        *first = *last;
        *last = kept;
    }
}

/* Puts items[from] and what follows it into the ordered ones before them. */
static void insert(const order *o, tfp_sort_item *items, size_t from,
                   size_t count)
{
    for (; from < count; from++) {
        tfp_sort_item item = items[from];
        size_t at = from;
        for (; at > 0 && before(o, &item, &items[at - 1]); at--)
            items[at] = items[at - 1];
        items[at] = item;
    }
}

/* Where the run ends that begins at `start`. A falling one is turned round:
 * no two of its items are equal, so none of them can lose their order. */
static size_t find_run(order *o, tfp_sort_item *items, size_t start,
                       size_t count)
{
    size_t end = start + 2, least;
    if (end > count)
        return count;
    if (before(o, &items[start + 1], &items[start])) {
        while (end < count && before(o, &items[end], &items[end - 1]) &&
               !is_cancelled(o, 1))
            end++;
        reverse(&items[start], &items[end - 1]);
    } else {
        while (end < count && !before(o, &items[end], &items[end - 1]) &&
               !is_cancelled(o, 1))
            end++;
    }
    least = count - start < SHORT_RUN ? count - start : SHORT_RUN;
    if (end - start < least) {
        insert(o, items + start, end - start, least);
        end = start + least;
    }
    return end;
}

/* The first halving of 0..count that parts the middles of two neighboring
 * runs. Compared are the middles' binary fractions of `count`, digit by
 * digit; `a` < `b` <= 2 * count, the doubled middles. */
static unsigned meeting_depth(size_t a, size_t b, size_t count)
{
    for (unsigned depth = 1;; depth++) {
        bool right_a = a >= count, right_b = b >= count;
        if (right_a != right_b)
            return depth;
        a = 2 * (right_a ? a - count : a);
        b = 2 * (right_b ? b - count : b);
    }
}

/* ---- Merging ------------------------------------------------------------ */

/* Joins the run from `left` with the one from `right`. Only the items of the
 * left run that really move are copied away; there is always just room for
 * those that have not come back yet, so it may end anywhere. */
static void merge(order *o, tfp_sort_item *left, tfp_sort_item *right,
                  const tfp_sort_item *end, tfp_sort_item *scratch)
{
    const tfp_sort_item *from = scratch, *from_end;
    while (left < right && !before(o, right, left) && !is_cancelled(o, 1))
        left++;
    memcpy(scratch, left, (size_t)(right - left) * sizeof(*left));
    from_end = scratch + (right - left);
    while (from < from_end && right < end && !is_cancelled(o, 1))
        *left++ = before(o, right, from) ? *right++ : *from++;
    memcpy(left, from, (size_t)(from_end - from) * sizeof(*left));
}

static void merge_last_two(order *o, tfp_sort_item *items, run *waiting,
                           size_t n, tfp_sort_item *scratch)
{
    run *left = &waiting[n - 2], *right = &waiting[n - 1];
    merge(o, items + left->start, items + right->start, items + right->end,
          scratch);
    left->end = right->end;
}

bool tfp_sort_until(tfp_sort_item *items, size_t count, tfp_sort_item *scratch,
                    tfp_sort_tie *tie, const void *context,
                    const tfp_cancel *cancel)
{
    order o = { .tie = tie, .context = context, .cancel = cancel };
    run waiting[MOST_WAITING];
    size_t n = 0;
    for (size_t start = 0; start < count && !o.cancelled;
         start = waiting[n - 1].end) {
        run next = { start, find_run(&o, items, start, count), 0 };
        if (n > 0)
            next.depth = meeting_depth(waiting[n - 1].start +
                                           waiting[n - 1].end,
                                       next.start + next.end, count);
        for (; n > 1 && waiting[n - 1].depth > next.depth; n--)
            merge_last_two(&o, items, waiting, n, scratch);
        waiting[n++] = next;
        is_cancelled(&o, next.end - next.start);
    }
    for (; n > 1 && !o.cancelled; n--)
        merge_last_two(&o, items, waiting, n, scratch);
    return !o.cancelled;
}

void tfp_sort(tfp_sort_item *items, size_t count, tfp_sort_item *scratch,
              tfp_sort_tie *tie, const void *context)
{
    tfp_sort_until(items, count, scratch, tie, context, NULL);
}
