/*
 * file_test.c - files out, as far as the program shows little of it: names for
 * steps, inputs that are no files, memory that runs out.
 */
#include "counting.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "output/sink/file.h"
#include "sample_messages.h"

/* ---- Names -------------------------------------------------------------- */

static void check_name(const char *path, int64_t step, const char *expected)
{
    char name[4400];
    size_t size = strlen(expected);
    assert_int_equal(tfp_file_step_name(path, step, name, sizeof(name)), size);
    assert_string_equal(name, expected);
    assert_true(size <= strlen(path) + TFP_STEP_NAME_EXTRA);
    for (size_t room = 0; room <= size + 1; room++) {
        memset(name, '#', size + 2);
        assert_int_equal(tfp_file_step_name(path, step, name, room), size);
        assert_int_equal(name[room], '#');
        if (room > 0) {
            assert_int_equal(strlen(name), room <= size ? room - 1 : size);
            assert_memory_equal(name, expected, strlen(name));
        }
    }
}

TEST(OU_09_a_name_is_the_user_s_and_a_number)
{
    check_name("F", 7, "F_7");
    check_name("F.gz", 7, "F_7.gz");
    check_name("trace.json", 0, "trace_0.json");
    check_name("trace.json.gz", 12, "trace_12.json.gz");
    check_name("trace.pb.json", 12, "trace.pb_12.json");
    check_name("trace.json.json", 1, "trace.json_1.json");
    check_name("trace.json.pb", 1, "trace.json.pb_1");
    check_name("a.json/b", 3, "a.json/b_3");
    check_name("dir/.json", 3, "dir/.json_3");
    check_name(".json.gz", 3, ".json_3.gz");
    check_name("json", 3, "json_3");
    check_name("x.JSON", 3, "x.JSON_3");
    check_name("a.gz/b", 3, "a.gz/b_3");
    check_name("a.gz/b.gz", 3, "a.gz/b_3.gz");
    check_name("dir/.gz", 3, "dir/.gz_3");
    check_name(".gz", 3, ".gz_3");
    check_name("x.GZ", 3, "x.GZ_3");
    check_name("gz", 3, "gz_3");
    check_name("/", 3, "/_3");
    check_name("", 3, "_3");
    check_name("../../x", 3, "../../x_3");
    check_name("with\nnewline.gz", 3, "with\nnewline_3.gz");
    check_name("F", -1, "F_-1");
    check_name("F.gz", INT64_MAX, "F_9223372036854775807.gz");
    check_name("F.gz", INT64_MIN, "F_-9223372036854775808.gz");
}

TEST(OU_09_a_long_name_stays_whole)
{
    char path[4097], expected[4200];
    memset(path, 'n', sizeof(path) - 1);
    path[sizeof(path) - 1] = '\0';
    snprintf(expected, sizeof(expected), "%s_5", path);
    check_name(path, 5, expected);
}

/* ---- Inputs ------------------------------------------------------------- */

/* A folder for one test, and a file in it. */
typedef struct place {
    char folder[64];
    char path[80];
} place;

static void place_init(place *p)
{
    snprintf(p->folder, sizeof(p->folder), "/tmp/tfprof-file-test-XXXXXX");
    assert_non_null(mkdtemp(p->folder));
    snprintf(p->path, sizeof(p->path), "%s/out", p->folder);
}

/* Fails unless the file is all that is in the folder. */
static void place_release(place *p)
{
    if (unlink(p->path) != 0)
        assert_int_equal(errno, ENOENT);
    assert_int_equal(rmdir(p->folder), 0);
}

static void place_write(const place *p, const void *data, size_t size)
{
    FILE *file = fopen(p->path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static bool place_holds(const place *p, const char *text)
{
    char got[64];
    FILE *file = fopen(p->path, "rb");
    size_t size;
    if (!file)
        return false;
    size = fread(got, 1, sizeof(got), file);
    fclose(file);
    return size == strlen(text) && !memcmp(got, text, size);
}

/* The path of a view that is written over `p`, from an input `name`. */
static int write_over(const place *p, const char *name, bool is_memory)
{
    tfprof_profile *profile = tfprof_profile_new();
    wire_bytes graph = { 0 };
    char output[128];
    int status;
    assert_non_null(profile);
    sample_node(&graph, 1, "n", "NoOp", NULL);
    place_write(p, graph.data, graph.size);
    status = is_memory
                 ? tfprof_profile_add_memory(profile, name, graph.data,
                                             graph.size, "graph_path", NULL)
                 : tfprof_profile_add_path(profile, name, "graph_path", NULL);
    assert_ok(status);
    snprintf(output, sizeof(output), "file:outfile=%s", p->path);
    assert_ok(tfprof_profile_set(profile, "output", output, NULL));
    status = tfprof_profile_write_view(profile, "scope", NULL, NULL, NULL);
    wire_free(&graph);
    tfprof_profile_free(profile);
    return status;
}

TEST(OU_08_bytes_in_memory_are_no_file)
{
    place p;
    place_init(&p);
    assert_int_equal(write_over(&p, p.path, false), TFPROF_ERR_OPTION);
    assert_ok(write_over(&p, p.path, true));
    assert_ok(write_over(&p, "-", true));
    place_release(&p);
}

/* ---- Memory ------------------------------------------------------------- */

static int save(const char *path, tfp_memory *memory, int outcome)
{
    tfprof_error err;
    tfp_file file;
    int status = tfp_file_open(&file, path, memory, NULL, &err);
    if (status != TFPROF_OK)
        return status;
    assert_int_equal(tfp_file_write(&file, "new", 3), 0);
    return tfp_file_close(&file, outcome, &err);
}

TEST(ME_01_a_file_is_written_or_memory_ran_out)
{
    place p;
    char link[80];
    int status = TFPROF_ERR_NOMEM;
    place_init(&p);
    snprintf(link, sizeof(link), "%s/link", p.folder);
    assert_int_equal(symlink("out", link), 0);
    for (size_t k = 1; status == TFPROF_ERR_NOMEM; k++) {
        counting counts = { .fail_at = k };
        tfp_memory memory;
        tfp_memory_init(&memory, counting_resize, &counts);
        place_write(&p, "old", 3);
        status = save(link, &memory, TFPROF_OK);
        assert_true(place_holds(&p, status == TFPROF_OK ? "new" : "old"));
        assert_int_equal(memory.held, 0);
        counting_check(&counts);
        assert_true(k < 100);
    }
    assert_ok(status);
    assert_int_equal(unlink(link), 0);
    place_release(&p);
}

/* Whatever went wrong elsewhere, the old file stays and is all there is. */
TEST(OU_03_an_answer_that_failed_is_no_file)
{
    static const int outcomes[] = { TFPROF_ERR_NOMEM, TFPROF_ERR_LIMIT,
                                    TFPROF_ERR_CANCELLED, TFPROF_ERR_OUTPUT,
                                    TFPROF_ERR_OPTION };
    tfp_memory memory;
    place p;
    tfp_memory_init(&memory, NULL, NULL);
    place_init(&p);
    EACH(row, outcomes) {
        place_write(&p, "old", 3);
        assert_int_equal(save(p.path, &memory, *row), *row);
        assert_true(place_holds(&p, "old"));
        assert_int_equal(unlink(p.path), 0);
        assert_int_equal(save(p.path, &memory, *row), *row);
        assert_int_equal(access(p.path, F_OK), -1);
    }
    assert_int_equal(memory.held, 0);
    place_release(&p);
}
