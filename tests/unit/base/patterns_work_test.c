/*
 * patterns_work_test.c - the steps that all names of an answer may take.
 */
#include "counting.h"

#include "view/patterns.h"

typedef struct fixture {
    counting counts;
    tfp_memory memory;
    tfp_patterns patterns;
} fixture;

static void begin_one(fixture *f, const char *pattern, uint64_t *work)
{
    char data[100];
    tfp_words words = { .data = data, .size = strlen(pattern) + 1, .count = 1 };
    *f = (fixture){ .counts = { 0 } };
    tfp_memory_init(&f->memory, counting_resize, &f->counts);
    snprintf(data, sizeof(data), "%s", pattern);
    assert_ok(tfp_patterns_init(&f->patterns, &f->memory, "show_name_regexes",
                                &words, NULL));
    f->patterns.work = work;
}

static void end(fixture *f)
{
    tfp_patterns_release(&f->patterns);
    assert_int_equal(f->memory.held, 0);
    counting_check(&f->counts);
}

static bool match(fixture *f, const char *name)
{
    return tfp_patterns_match(&f->patterns, tfp_span_of(name));
}

/* Matches names in two lists in turn until the limit; how many there were. */
static size_t count_until_limit(const char *first, const char *second)
{
    fixture lists[2];
    uint64_t work = 0;
    size_t names = 0;
    int status = TFPROF_OK;
    begin_one(&lists[0], first, &work);
    begin_one(&lists[1], second, &work);
    for (; status == TFPROF_OK && names < 20000; names++) {
        fixture *f = &lists[names % 2];
        char name[40];
        snprintf(name, sizeof(name), "aaaaaaaaaaaaaaaa%zu", names);
        assert_false(match(f, name));
        status = f->patterns.status;
        if (status != TFPROF_OK)
            assert_non_null(
                strstr(f->patterns.why.message, "takes too many steps"));
    }
    assert_int_equal(status, TFPROF_ERR_LIMIT);
    end(&lists[0]);
    end(&lists[1]);
    return names;
}

TEST(RX_02_all_names_of_an_answer_share_a_limit)
{
    size_t names = count_until_limit("(a+)+[bc]", "(a+)+[de]");
    print_message("%zu names\n", names);
    assert_int_equal(count_until_limit("(a+)+[bc]", "(a+)+[de]"), names);
    /* A list that takes few steps has what the other one leaves. */
    assert_in_range(count_until_limit("(a+)+[bc]", "b.*"), names + 1,
                    2 * names + 1);
}

/* The longest of many real names, or longer. */
TEST(RX_02_common_patterns_never_reach_that_limit)
{
    static const char *const patterns[] = {
        ".*weights.*",     ".*(conv|dense).*",        ".*/.*/.*/kernel",
        ".*kernel$",       ".*Adam.*(kernel|bias).*", ".*a.*b.*c.*d.*",
        "(?i).*SOFTMAX.*", "([^/]+/)*MatMul(_\\d+)?", "(\\w+/)*Const.*",
    };
    static const char *const names[] = {
        "gradients/encoder/block_003/layer_000/SelfAttention/einsum_1/"
        "einsum/Reshape_2_grad/BroadcastGradientArgs-1-kernel-Layout",
        "train/update_model/cnn/resnet/group_layer2/block_5/conv2d_37/"
        "batch_normalization_49/gamma/ApplyMomentum/kernel_0/bias",
    };
    EACH(pattern, patterns) {
        uint64_t work = 0;
        fixture f;
        begin_one(&f, *pattern, &work);
        EACH(name, names)
            (void)match(&f, *name);
        assert_ok(f.patterns.status);
        assert_int_equal(work, 0); /* nothing but free steps */
        end(&f);
    }
}
