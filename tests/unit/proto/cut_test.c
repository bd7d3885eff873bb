/*
 * cut_test.c - files that end too early, at every byte where they can.
 *
 * What a cut must lead to is worked out here from the bytes and the tables of
 * fields alone: where the fields of the root end, and which leaf records are
 * whole by then.
 */
#include "loading.h"
#include "samples.h"
#include "walking.h"

typedef struct cut_counts {
    int64_t nodes, function_nodes, run_records, log_entries;
} cut_counts;

static uint64_t read_number(tfp_span bytes, size_t *at)
{
    uint64_t value = 0;
    for (int shift = 0;; shift += 7) {
        assert_true(*at < bytes.size);
        value |= (uint64_t)(bytes.data[*at] & 0x7f) << shift;
        if (bytes.data[(*at)++] < 0x80)
            return value;
    }
}

static void count_record(cut_counts *c, const tfp_message *parent,
                         const tfp_field_spec *field)
{
    c->nodes += parent == &tfp_GraphDef && field->message == &tfp_NodeDef;
    c->nodes += parent == &tfp_ProfileProto && field->number == 1;
    c->function_nodes += parent == &tfp_FunctionDef &&
                         field->message == &tfp_NodeDef;
    c->run_records += field->message == &tfp_NodeExecStats;
    c->log_entries += field->message == &tfp_OpLogEntry;
}

/* Streamed messages; but the graphs in a RunMetadata are not counted. */
static bool is_entered(const tfp_message *m, const tfp_field_spec *field)
{
    return field->message && field->message->kind == TFP_MESSAGE_STREAMED &&
           !(m == &tfp_RunMetadata && field->message == &tfp_GraphDef);
}

/* Counts the records of a sound message that end before `cut`, and tells
 * whether a field of it ends right there. */
static bool count_until(cut_counts *c, const tfp_message *m, tfp_span bytes,
                        size_t at, size_t end, size_t cut)
{
    bool is_boundary = at == cut;
    while (at < end && at < cut) {
        uint64_t tag = read_number(bytes, &at), size = 0;
        const tfp_field_spec *field = tfp_message_field(m, (uint32_t)tag >> 3);
        switch (tag & 7) {
        case 0: (void)read_number(bytes, &at); break;
        case 1: at += 8; break;
        case 2: size = read_number(bytes, &at); break;
        case 5: at += 4; break;
        default: fail_msg("no group is in any sample");
        }
        assert_true(size <= bytes.size - at);
        if (field && (tag & 7) == 2 && is_entered(m, field))
            count_until(c, field->message, bytes, at, at + (size_t)size, cut);
        else if (field && (tag & 7) == 2 && at + size <= cut)
            count_record(c, m, field);
        at += (size_t)size;
        is_boundary |= at == cut;
    }
    return is_boundary;
}

/* ---- The verdict -------------------------------------------------------- */

static void check_verdict(const sample *s, size_t cut, bool accepted)
{
    walking w = walking_of(s->root, (tfp_span){ s->bytes.data, cut }, 100);
    if (accepted != (w.status == TFPROF_OK) ||
        (!accepted && w.status != TFPROF_ERR_MALFORMED))
        fail_msg("%s cut at %zu: %d %s", s->name, cut, w.status, w.err.message);
    if (accepted)
        return;
    assert_in_range(w.err.offset, 0, cut);
    if (!strstr(w.err.message, "the file ends inside this "))
        fail_msg("%s cut at %zu: %s", s->name, cut, w.err.message);
}

TEST(PB_06_every_cut_but_those_between_fields_is_refused)
{
    sample all[SAMPLE_MOST];
    size_t count = samples_binary(all), cuts = 0, accepted = 0;
    for (size_t i = 0; i < count; i++) {
        tfp_span bytes = wire_span(&all[i].bytes);
        for (size_t cut = 0; cut <= bytes.size; cut++, cuts++) {
            cut_counts unused = { 0 };
            bool is_boundary = count_until(&unused, all[i].root, bytes, 0,
                                           bytes.size, cut);
            check_verdict(&all[i], cut, is_boundary);
            accepted += is_boundary;
        }
    }
    print_message("%zu cuts, %zu of them between fields\n", cuts, accepted);
    samples_free(all, count);
}

/* ---- What is kept ------------------------------------------------------- */

static void check_salvage(loading *l, const sample *s, size_t cut,
                          size_t *other_kind)
{
    const tfp_input_counts *got = loading_counts(l);
    cut_counts c = { 0 };
    bool is_boundary = count_until(&c, s->root, wire_span(&s->bytes), 0,
                                   s->bytes.size, cut);
    /* A few bytes may be the beginning of two kinds. */
    if (strcmp(tfp_file_kind_name(l->model.inputs.data[0].kind),
               tfp_message_short_name(s->root)) != 0) {
        assert_true(cut < 24);
        ++*other_kind;
        return;
    }
    assert_int_equal(l->status == TFPROF_OK, is_boundary);
    assert_int_equal(l->model.inputs.data[0].partial, !is_boundary);
    if (got->nodes != c.nodes || got->function_nodes != c.function_nodes ||
        got->log_entries != c.log_entries ||
        (s->root != &tfp_ProfileProto && got->run_records != c.run_records))
        fail_msg("%s cut at %zu: %lld of %lld nodes, %lld of %lld records",
                 s->name, cut, (long long)got->nodes, (long long)c.nodes,
                 (long long)got->run_records, (long long)c.run_records);
}

TEST(PB_06_salvage_keeps_the_whole_records_before_the_cut)
{
    sample all[SAMPLE_MOST];
    size_t count = samples_binary(all), other_kind = 0;
    for (size_t i = 0; i < count; i++) {
        for (size_t cut = 0; cut <= all[i].bytes.size; cut++) {
            loading l;
            loading_init(&l);
            l.context.salvage = true;
            loading_add(&l, all[i].role, (tfp_span){ all[i].bytes.data, cut });
            check_salvage(&l, &all[i], cut, &other_kind);
            loading_release(&l);
        }
    }
    print_message("%zu beginnings were taken for another kind\n", other_kind);
    samples_free(all, count);
}

/* ---- Text, gzip, and files of any kind ---------------------------------- */

/* Blocks "node { ... }" that are closed before `cut`. */
static int64_t whole_nodes(const char *text, size_t cut)
{
    int64_t nodes = 0;
    int depth = 0;
    bool is_node = false;
    for (size_t i = 0; i < cut; i++) {
        char c = text[i];
        if (c == '"' || c == '\'') {
            do
                i += text[i + 1] == '\\' ? 2 : 1;
            while (i < cut && text[i] != c);
        } else if (c == '#') {
            while (i < cut && text[i] != '\n')
                i++;
        } else if (c == '{' || c == '<') {
            if (depth++ == 0)
                is_node = i >= 5 && !memcmp(text + i - 5, "node ", 5);
        } else if (c == '}' || c == '>') {
            nodes += --depth == 0 && is_node;
        }
    }
    return nodes;
}

TEST(PB_06_a_text_cut_short_keeps_its_whole_nodes)
{
    size_t size = strlen(sample_graph_text);
    for (size_t cut = 1; cut <= size; cut++) {
        loading l;
        loading_init(&l);
        l.context.salvage = true;
        loading_add(&l, "graph_path",
                    (tfp_span){ (const uint8_t *)sample_graph_text, cut });
        if (l.status != TFPROF_OK) {
            assert_int_equal(l.status, TFPROF_ERR_MALFORMED);
            assert_in_range(l.err.offset, 0, cut);
        }
        if (cut > 20) /* by then it is known as a graph */
            assert_int_equal(loading_counts(&l)->nodes,
                             whole_nodes(sample_graph_text, cut));
        loading_release(&l);
    }
}

/* Accepted or refused, nothing else; and a longer beginning never holds less,
 * once the kind is known. */
static void cut_everywhere(const sample *s, size_t *cuts, size_t *accepted)
{
    int64_t records = 0;
    tfp_file_kind kind = TFP_FILE_UNKNOWN;
    for (size_t cut = 1; cut <= s->bytes.size; cut++, ++*cuts) {
        loading l;
        int64_t now;
        loading_init(&l);
        l.context.salvage = true;
        loading_add(&l, s->role, (tfp_span){ s->bytes.data, cut });
        if (l.status != TFPROF_OK && l.status != TFPROF_ERR_MALFORMED)
            fail_msg("%s cut at %zu: status %d, %s", s->name, cut, l.status,
                     l.err.message);
        *accepted += l.status == TFPROF_OK;
        now = loading_counts(&l)->nodes + loading_counts(&l)->run_records +
              loading_counts(&l)->log_entries;
        if (kind == l.model.inputs.data[0].kind && now < records)
            fail_msg("%s cut at %zu: %lld records, %lld a byte before", s->name,
                     cut, (long long)now, (long long)records);
        kind = l.model.inputs.data[0].kind;
        records = now;
        loading_release(&l);
    }
}

TEST(PB_06_every_cut_of_every_small_file)
{
    sample all[SAMPLE_MOST];
    size_t count = samples_all(all), cuts = 0, accepted = 0;
    for (size_t i = 0; i < count; i++)
        cut_everywhere(&all[i], &cuts, &accepted);
    print_message("%zu files, %zu cuts, %zu accepted\n", count, cuts, accepted);
    samples_free(all, count);
}
