/*
 * formula_file_test.c - files of user formulas, and what they count.
 */
#include "loading.h"
#include "samples.h"

#include <sys/stat.h>
#include <unistd.h>

#include "api/formulas.h"
#include "ops/fact/site.h"
#include "ops/flops/formula_file.h"

typedef struct reading {
    counting counts;
    tfp_memory memory;
    tfp_user_formulas formulas;
    tfprof_error err;
    int status;
} reading;

static void begin(reading *r)
{
    tfp_memory_init(&r->memory, counting_resize, &r->counts);
    assert_true(tfp_user_formulas_init(&r->formulas, &r->memory));
}

/* The bytes stand in a block of their own size, and are gone afterwards. */
static int read_bytes(reading *r, const char *json, size_t size)
{
    char *copy = malloc(size ? size : 1);
    assert_non_null(copy);
    memcpy(copy, json, size);
    r->err = (tfprof_error){ .offset = -2 };
    r->status = tfp_formula_file_read(
        &r->formulas, (tfp_span){ (uint8_t *)copy, size }, "my.json", &r->err);
    memset(copy, 0xaa, size);
    free(copy);
    if (r->status == TFPROF_OK)
        assert_int_equal(r->err.offset, -2); /* not touched on success */
    else
        assert_int_equal(r->err.code, r->status);
    return r->status;
}

static void finish(reading *r)
{
    tfp_user_formulas_release(&r->formulas);
    assert_int_equal(r->memory.held, 0);
    counting_check(&r->counts);
}

static void need_jansson(void)
{
    if (!tfp_formula_file_is_there()) {
        print_message("built without jansson\n");
        skip();
    }
}

static const tfp_formula *find(const reading *r, const char *op)
{
    return tfp_user_formulas_find(&r->formulas, tfp_span_of(op));
}

/* ---- Forms -------------------------------------------------------------- */

static const char good_file[] =
    "{ \"MyOp\": \"2 * #y0\",\n"
    "  \"Other\": { \"float_ops\": \"#x0\", \"int_ops\": \"7\",\n"
    "             \"macs\": \"@N\", \"ops\": \"macs\" },\n"
    "  \"Macs\": { \"macs\": \"x0[-1]\" }, \"\\u00e4\": \"1\" }\n";

TEST(a_file_holds_texts_and_objects)
{
    reading r = { .status = 0 };
    const tfp_formula *f;
    need_jansson();
    begin(&r);
    assert_ok(read_bytes(&r, good_file, strlen(good_file)));
    f = find(&r, "MyOp");
    assert_non_null(f);
    assert_int_not_equal(f->of[TFP_COUNT_FLOAT_OPS].code.count, 0);
    assert_int_equal(f->of[TFP_COUNT_INT_OPS].code.count, 0);
    assert_int_equal(f->of[TFP_COUNT_MACS].code.count, 0);
    f = find(&r, "Other");
    assert_non_null(f);
    for (int i = 0; i < TFP_COUNTS; i++)
        assert_int_not_equal(f->of[i].code.count, 0);
    assert_non_null(find(&r, "Macs"));
    assert_non_null(find(&r, "\xc3\xa4"));
    assert_null(find(&r, "myop"));
    assert_null(find(&r, ""));
    finish(&r);
}

TEST(of_two_files_the_later_one_counts)
{
    static const char more[] = "{\"MyOp\": {\"int_ops\": \"1\"}}";
    reading r = { .status = 0 };
    need_jansson();
    begin(&r);
    assert_ok(read_bytes(&r, good_file, strlen(good_file)));
    assert_ok(read_bytes(&r, more, strlen(more)));
    assert_int_equal(find(&r, "MyOp")->of[TFP_COUNT_FLOAT_OPS].code.count, 0);
    assert_int_equal(find(&r, "MyOp")->of[TFP_COUNT_INT_OPS].code.count, 1);
    assert_int_equal(r.formulas.formulas.count, 4);
    finish(&r);
}

/* Whoever copies an example from docs/float-operations.md has a file that
 * works. */
TEST(the_examples_of_the_manual_are_files)
{
    FILE *file = fopen(TFPROF_TEST_DATA "/../../docs/float-operations.md",
                       "rb");
    char text[1 << 16], *at = text;
    size_t size, examples = 0;
    reading r = { .status = 0 };
    need_jansson();
    assert_non_null(file);
    size = fread(text, 1, sizeof(text) - 1, file);
    assert_int_equal(fclose(file), 0);
    text[size] = '\0';
    begin(&r);
    while ((at = strstr(at, "```json\n")) != NULL) {
        at += strlen("```json\n");
        if (read_bytes(&r, at, (size_t)(strstr(at, "```") - at)) != TFPROF_OK)
            fail_msg("%s", r.err.message);
        examples++;
    }
    assert_int_equal(examples, 2);
    assert_non_null(find(&r, "MyConv"));
    assert_non_null(find(&r, "MyScan"));
    finish(&r);
}

/* ---- Mistakes ----------------------------------------------------------- */

typedef struct mistake {
    const char *json, *message; /* NULL: jansson's own words */
} mistake;

static const mistake mistakes[] = {
    { "", "my.json: is empty" },
    { " \n", NULL },
    { "{", NULL },
    { "{} x", NULL },
    { "[]", "my.json: must be an object, such as {\"MyOp\": \"2 * #y0\"}" },
    { "3", NULL },
    { "{\"A\": \"1\", \"A\": \"2\"}", NULL },
    { "{\"A\": {\"macs\": \"1\", \"macs\": \"2\"}}", NULL },
    { "{\"A\": \"1\",}", NULL },
    { "{'A': \"1\"}", NULL },
    { "{\"A\": \"\xff\"}", NULL },
    { "{\"\xed\xa0\x80\": \"1\"}", NULL },
    { "{\"A\\u0000\": \"1\"}", NULL },
    { "{\"A\": \"1\\u0000\"}", NULL },
    { "\xef\xbb\xbf{}", NULL },
    { "{\"\": \"1\"}", "my.json: \"\": the operation type is empty" },
    { "{\"A\": 1}", "my.json: \"A\": must be a string, such as \"2 * #y0\", or "
                    "an object of strings" },
    { "{\"A\": null}", "my.json: \"A\": must be a string, such as \"2 * #y0\", "
                       "or an object of strings" },
    { "{\"A\": {}}", "my.json: \"A\": has no formula (expected float_ops, "
                     "int_ops, macs or ops)" },
    { "{\"A\": {\"macs\": 2}}",
      "my.json: \"A\": macs must be a string, such as \"2 * #y0\"" },
    { "{\"A\": {\"flops\": \"2\"}}", "my.json: \"A\": expected float_ops, "
                                     "int_ops, macs or ops, found \"flops\"" },
    { "{\"A\": \"2 *\"}", "my.json: \"A\": float_ops: character 4: expected a "
                          "value, found the end" },
    { "{\"A\": {\"int_ops\": \"2 $\"}}",
      "my.json: \"A\": int_ops: character 3: expected an operator or the end, "
      "found '$'" },
    { "{\"\\u202eA\\n\": \"\"}",
      "my.json: \"\\xe2\\x80\\xaeA\\x0a\": float_ops: character 1: expected a "
      "value, found the end" },
};

TEST(mistakes_are_told_with_file_and_type)
{
    need_jansson();
    EACH(row, mistakes) {
        reading r = { .status = 0 };
        begin(&r);
        read_bytes(&r, row->json, strlen(row->json));
        if (r.status != TFPROF_ERR_MALFORMED)
            fail_msg("%s: %d", row->json, r.status);
        if (row->message)
            assert_string_equal(r.err.message, row->message);
        else if (strncmp(r.err.message, "my.json: line ", 14) != 0 ||
                 !strstr(r.err.message, ", column "))
            fail_msg("%s: %s", row->json, r.err.message);
        finish(&r);
    }
}

TEST(rejects_nul_after_the_json)
{
    static const char json[] = "{\"A\": \"1\"}\0{";
    reading r = { .status = 0 };
    need_jansson();
    begin(&r);
    assert_int_equal(read_bytes(&r, json, sizeof(json) - 1),
                     TFPROF_ERR_MALFORMED);
    finish(&r);
}

TEST(long_names_are_cut_in_messages)
{
    char path[600], json[700];
    reading r = { .status = 0 };
    need_jansson();
    memset(path, 'p', sizeof(path));
    memcpy(path + sizeof(path) - 6, ".json", 6);
    memset(json, 'o', sizeof(json));
    memcpy(json, "{\"", 2);
    memcpy(json + 600, "\":\"foo()\"}", 11);
    begin(&r);
    r.status = tfp_formula_file_read(&r.formulas, tfp_span_of(json), path,
                                     &r.err);
    assert_int_equal(r.status, TFPROF_ERR_MALFORMED);
    assert_non_null(strstr(r.err.message, "pp.json: \"oo"));
    assert_non_null(strstr(r.err.message, "found 'foo'"));
    finish(&r);
}

TEST(nesting_and_size_have_limits)
{
    static char json[TFP_FORMULA_FILE_MOST + 1];
    reading r = { .status = 0 };
    need_jansson();
    begin(&r);
    memset(json, '[', sizeof(json));
    assert_int_equal(read_bytes(&r, json, TFP_FORMULA_FILE_MOST),
                     TFPROF_ERR_LIMIT);
    for (size_t i = 0; i + 4 <= sizeof(json); i += 4)
        memcpy(json + i, "{\"\":", 4);
    assert_int_equal(read_bytes(&r, json, TFP_FORMULA_FILE_MOST),
                     TFPROF_ERR_LIMIT);
    memset(json, ' ', sizeof(json));
    memcpy(json, "{}", 2);
    assert_ok(read_bytes(&r, json, sizeof(json) - 1));
    assert_int_equal(read_bytes(&r, json, sizeof(json)), TFPROF_ERR_LIMIT);
    assert_string_equal(r.err.message, "my.json: larger than 1048576 bytes");
    finish(&r);
}

TEST(each_allocation_may_fail)
{
    size_t k, refused;
    need_jansson();
    for (k = 1, refused = 1; refused > 0; k++) {
        reading r = { .counts = { .fail_at = k } };
        tfp_memory_init(&r.memory, counting_resize, &r.counts);
        r.status = TFPROF_ERR_NOMEM;
        if (tfp_user_formulas_init(&r.formulas, &r.memory))
            read_bytes(&r, good_file, strlen(good_file));
        refused = r.counts.refused;
        assert_int_equal(r.status, refused ? TFPROF_ERR_NOMEM : TFPROF_OK);
        finish(&r);
    }
    assert_true(k > 10);
}

/* ---- Counting ----------------------------------------------------------- */

/* x: [4, 8]; y, the MyOp: [3, 5]. Its alpha is 2.9, its scales are -2.75 and
 * 1e30. */
static void put_graph(wire_bytes *b)
{
    wire_put(b, "1{1'x' 2'Placeholder' 5{1'dtype' 2{6:1}} "
                "5{1'shape' 2{7{2{1:4} 2{1:8}}}}}");
    wire_put(b, "1{1'y' 2'MyOp' 3'x' 5{1'T' 2{6:19}} 5{1'N' 2{3:-5}} "
                "5{1'alpha' 2{4=9a993940}} 5{1'keep' 2{5:1}} "
                "5{1'padding' 2{2'SAME'}} 5{1'strides' 2{1{3x010203}}} "
                "5{1'scales' 2{1{4=000030c0 4=caf24971}}} "
                "5{1'_output_shapes' 2{1{7{2{1:3} 2{1:5}}}}}}");
}

typedef struct count_row {
    const char *json;                 /* of the formula */
    int64_t float_ops, int_ops, macs; /* -1: not known */
} count_row;

enum { FREE = -2 };

/* clang-format off */
static const count_row count_rows[] = {
    { "\"#x0 + #y0\"", 47, 0, 0 },
    { "\"x0[0] * 10 + y0[-1]\"", 45, 0, 0 },
    { "\"x1[0]\"", -1, 0, 0 },
    { "\"rank(y1)\"", -1, 0, 0 },
    { "{\"int_ops\": \"#x0\"}", 0, 32, 0 },
    { "{\"macs\": \"#x0\"}", 64, 0, 32 },
    { "{\"macs\": \"#x0\", \"float_ops\": \"1\"}", 1, 0, 32 },
    { "{\"macs\": \"#x0\", \"int_ops\": \"x9[0]\"}", -1, 0, 0 },
    { "\"@T\"", 19, 0, 0 },
    { "\"-@N\"", 5, 0, 0 },
    { "\"@N\"", -1, 0, 0 }, /* less than nothing */
    { "\"@alpha\"", 2, 0, 0 },
    { "\"@keep\"", 1, 0, 0 },
    { "\"@padding\"", -1, 0, 0 },
    { "\"attr(padding, 1)\"", -1, 0, 0 },
    { "\"attr(groups, 6)\"", 6, 0, 0 },
    { "\"attr(MyOp, 6)\"", 6, 0, 0 }, /* a name, but of no attribute */
    { "\"@strides[1] * 10 + @strides[-1]\"", 23, 0, 0 },
    { "\"@strides[3]\"", -1, 0, 0 },
    { "\"@strides[-4]\"", -1, 0, 0 },
    { "\"@strides\"", -1, 0, 0 },
    { "\"@N[0]\"", -1, 0, 0 },
    { "\"-@scales[0]\"", 2, 0, 0 },
    { "\"@scales[1]\"", -1, 0, 0 }, /* too large */
    { "{\"macs\": \"9223372036854775807\"}", INT64_MAX, 0, INT64_MAX },
    { "{\"ops\": \"#x0\"}", 32, 0, 0 }, /* T is a float */
    { "{\"ops\": \"1\", \"float_ops\": \"2\", \"int_ops\": \"4\"}", 3, 4, 0 },
    { "{\"ops\": \"2 * macs + 1\", \"macs\": \"#x0\"}", 65, 0, 32 },
    { "{\"ops\": \"-1\"}", -1, 0, 0 },
    { "\"macs\"", 0, 0, 0 },
    { "\"@padding == 'SAME' ? 7 : 8\"", 7, 0, 0 },
    { "\"inputs * 10 + controls\"", 10, 0, 0 },
    { "\"len(@strides) * 10 + prod(@strides)\"", 36, 0, 0 },
    { "\"value(x0)\"", -1, 0, 0 },
    { "\"free\"", FREE, 0, 0 },
    { "\"@keep ? free : 1\"", FREE, 0, 0 },
    { "{\"ops\": \"free\", \"macs\": \"1\"}", FREE, 0, 0 },
};
/* clang-format on */

static void count_one(loading *l, tfp_shapes *shapes, const count_row *row)
{
    reading r = { .status = 0 };
    char json[200];
    tfp_site site;
    tfp_work work = { 0 };
    tfp_counted counted, expected = row->float_ops == FREE ? TFP_COUNTED_FREE
                                    : row->float_ops < 0
                                        ? TFP_COUNTED_UNKNOWN_SHAPE
                                        : TFP_COUNTED;
    snprintf(json, sizeof(json), "{\"MyOp\": %s}", row->json);
    begin(&r);
    if (read_bytes(&r, json, strlen(json)) != TFPROF_OK)
        fail_msg("%s", r.err.message);
    assert_true(tfp_shapes_site(
        shapes, 0, tfp_model_find_node(&l->model, loading_name(l, "y")),
        TFP_GRADE_FULL, &site));
    counted = tfp_formula_count(find(&r, "MyOp"), &site, &work);
    if (counted != expected ||
        (counted == TFP_COUNTED &&
         (work.float_ops != row->float_ops || work.int_ops != row->int_ops ||
          work.macs != row->macs)))
        fail_msg("%s: %d, %lld %lld %lld", row->json, counted,
                 (long long)work.float_ops, (long long)work.int_ops,
                 (long long)work.macs);
    finish(&r);
}

TEST(a_node_is_counted_by_its_shapes_and_attributes)
{
    wire_bytes b = { 0 };
    loading l;
    tfp_shapes shapes;
    tfp_shape_request request = { .signature = TFP_NO_ID, .batch = -1 };
    need_jansson();
    put_graph(&b);
    loading_init(&l);
    if (loading_add(&l, "graph_path", wire_span(&b)) != TFPROF_OK)
        fail_msg("%s", l.err.message);
    wire_free(&b);
    assert_ok(
        tfp_shapes_init(&shapes, &l.model, &l.memory, &request, NULL, &l.err));
    EACH(row, count_rows)
        count_one(&l, &shapes, row);
    tfp_shapes_release(&shapes);
    loading_release(&l);
}

/* ---- Files -------------------------------------------------------------- */

/* Reads what two paths lead to; the second may be NULL. */
static int read_paths(reading *r, const char *first, const char *second)
{
    char words[400];
    tfp_words paths = { .data = words, .count = second ? 2 : 1 };
    snprintf(words, sizeof(words), "%s", first);
    if (second)
        snprintf(words + strlen(first) + 1, sizeof(words) - strlen(first) - 1,
                 "%s", second);
    tfp_memory_init(&r->memory, counting_resize, &r->counts);
    r->status = tfp_formulas_read(&r->formulas, &r->memory, &paths, &r->err);
    return r->status;
}

static void write_file(const char *path, tfp_span bytes)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes.data, 1, bytes.size, file), bytes.size);
    assert_int_equal(fclose(file), 0);
}

TEST(files_are_read_by_path_plain_and_packed)
{
    char folder[] = "/tmp/formula_file_test.XXXXXX", plain[64], packed[64];
    wire_bytes gzip = { 0 };
    need_jansson();
    assert_non_null(mkdtemp(folder));
    snprintf(plain, sizeof(plain), "%s/plain.json", folder);
    snprintf(packed, sizeof(packed), "%s/packed.json.gz", folder);
    write_file(plain, tfp_span_of("{\"A\": \"1\"}"));
    sample_gzip(&gzip, tfp_span_of(good_file));
    write_file(packed, wire_span(&gzip));
    for (size_t k = 0; k < 12; k++) { /* 0: nothing fails */
        reading r = { .counts = { .fail_at = k } };
        read_paths(&r, plain, packed);
        if (r.counts.refused > 0) {
            assert_int_equal(r.status, TFPROF_ERR_NOMEM);
        } else {
            assert_ok(r.status);
            assert_non_null(find(&r, "A"));
            assert_non_null(find(&r, "MyOp"));
        }
        finish(&r);
    }
    unlink(plain);
    unlink(packed);
    rmdir(folder);
    wire_free(&gzip);
}

static void check_refused(const char *path, int status, const char *message)
{
    reading r = { .status = 0 };
    assert_int_equal(read_paths(&r, path, NULL), status);
    assert_int_equal(r.err.code, status);
    if (!strstr(r.err.message, message) || !strstr(r.err.message, path))
        fail_msg("%s: %s", path, r.err.message);
    finish(&r);
}

/* None of them makes the program wait. */
TEST(what_is_no_file_of_formulas_is_refused)
{
    char folder[] = "/tmp/formula_file_test.XXXXXX", path[64];
    static char large[TFP_FORMULA_FILE_MOST + 2];
    wire_bytes gzip = { 0 };
    need_jansson();
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof(path), "%s/f", folder);
    check_refused(path, TFPROF_ERR_IO, "cannot open: No such file");
    check_refused(folder, TFPROF_ERR_IO, "is a directory");
    check_refused("/dev/zero", TFPROF_ERR_IO, "is neither a file nor a pipe");
    assert_int_equal(mkfifo(path, 0600), 0);
    check_refused(path, TFPROF_ERR_MALFORMED, "is empty");
    unlink(path);
    memset(large, ' ', sizeof(large) - 1);
    write_file(path, tfp_span_of(large));
    check_refused(path, TFPROF_ERR_LIMIT, "larger than 1048576 bytes");
    sample_gzip(&gzip, tfp_span_of(large));
    write_file(path, wire_span(&gzip));
    check_refused(path, TFPROF_ERR_LIMIT, "larger than 1048576 bytes");
    write_file(path, (tfp_span){ gzip.data, gzip.size / 2 });
    check_refused(path, TFPROF_ERR_MALFORMED, "gzip data is truncated");
    unlink(path);
    rmdir(folder);
    wire_free(&gzip);
}

/* ---- Without jansson ---------------------------------------------------- */

TEST(a_build_without_jansson_says_so)
{
    reading r = { .status = 0 };
    if (tfp_formula_file_is_there())
        skip();
    begin(&r);
    assert_int_equal(read_bytes(&r, "{}", 2), TFPROF_ERR_OPTION);
    assert_non_null(strstr(r.err.message, "built without jansson"));
    finish(&r);
}
