/*
 * kinds.c - whether an operation computes, communicates or waits.
 *
 * To add an operation type, add it to `types`, and to `names` if a graph may be
 * missing. model/gathered.h has the types that wait for input in `tfprof
 * steps`.
 */
#include "aggregate/kinds.h"

#include "model/gathered.h"

const char *const tfp_agg_kind_names[TFP_KIND_COUNT] = { "compute",
                                                         "collective", "wait" };

typedef enum match {
    STARTS, /* the type starts with the word */
    ENDS,
    HAS, /* contains it */
    IS
} match;

/* The first row that matches is used. Words are in lower case, and a type
 * matches in any case and without leading underscores: "_Recv" is "recv". */
static const struct {
    const char *word;
    match match;
    tfp_agg_kind kind;
} types[] = {
    /* TensorFlow */
    { "collective", STARTS, TFP_KIND_COLLECTIVE }, /* and XLA */
    { "nccl", STARTS, TFP_KIND_COLLECTIVE },
    { "rccl", STARTS, TFP_KIND_COLLECTIVE },
    { "allreduce", STARTS, TFP_KIND_COLLECTIVE },
    { "allgather", STARTS, TFP_KIND_COLLECTIVE },
    { "alltoall", STARTS, TFP_KIND_COLLECTIVE },
    { "reducescatter", STARTS, TFP_KIND_COLLECTIVE },
    { "crossreplicasum", STARTS, TFP_KIND_COLLECTIVE },
    { "horovod", STARTS, TFP_KIND_COLLECTIVE },
    { "xlaallreduce", STARTS, TFP_KIND_COLLECTIVE },
    { "xlareducescatter", STARTS, TFP_KIND_COLLECTIVE },
    { "dtensorall", STARTS, TFP_KIND_COLLECTIVE },
    { "dtensorreducescatter", STARTS, TFP_KIND_COLLECTIVE },
    { "queuedequeue", STARTS, TFP_KIND_WAIT },
    { "multideviceiteratorgetnext", STARTS, TFP_KIND_WAIT },
    { "optionalgetvalue", STARTS, TFP_KIND_WAIT },
    { "dataset", IS, TFP_KIND_WAIT }, /* the input pipeline in a trace */
    { "dataset", ENDS, TFP_KIND_WAIT },
    { "datasetv2", ENDS, TFP_KIND_WAIT },
    { "recv", STARTS, TFP_KIND_WAIT }, /* and XLA: recv, recv-done */
    { "hostrecv", STARTS, TFP_KIND_WAIT },
    { "xlarecvfromhost", IS, TFP_KIND_WAIT },
    { "xlarecvathost", STARTS, TFP_KIND_WAIT },
    { "accumulatortakegradient", ENDS, TFP_KIND_WAIT },
    { "infeeddequeue", STARTS, TFP_KIND_WAIT },
    { "outfeeddequeue", STARTS, TFP_KIND_WAIT },
    { "unstage", IS, TFP_KIND_WAIT },
    { "mapunstage", STARTS, TFP_KIND_WAIT },
    { "orderedmapunstage", STARTS, TFP_KIND_WAIT },
    { "barrier", STARTS, TFP_KIND_WAIT },
    /* XLA and JAX */
    { "all-reduce", STARTS, TFP_KIND_COLLECTIVE },
    { "all-gather", STARTS, TFP_KIND_COLLECTIVE },
    { "all-to-all", STARTS, TFP_KIND_COLLECTIVE },
    { "ragged-all-to-all", STARTS, TFP_KIND_COLLECTIVE },
    { "reduce-scatter", STARTS, TFP_KIND_COLLECTIVE },
    { "async collective fusion", STARTS, TFP_KIND_COLLECTIVE },
    { "psum", STARTS, TFP_KIND_COLLECTIVE },
    { "ppermute", STARTS, TFP_KIND_COLLECTIVE },
    { "all_gather", STARTS, TFP_KIND_COLLECTIVE },
    { "all_reduce", STARTS, TFP_KIND_COLLECTIVE },
    { "all_to_all", STARTS, TFP_KIND_COLLECTIVE },
    { "reduce_scatter", STARTS, TFP_KIND_COLLECTIVE },
    { "recv-done", ENDS, TFP_KIND_WAIT }, /* host, megascale */
    { "send-done", ENDS, TFP_KIND_WAIT },
    { "infeed", STARTS, TFP_KIND_WAIT },
    { "outfeed", STARTS, TFP_KIND_WAIT },
};

typedef struct pattern {
    const char *word;
    match match;
} pattern;

/* Names of kernels that are collectives, without "void ". */
static const pattern kernels[] = {
    { "ncclkernel", STARTS },  { "nccldevkernel", STARTS },
    { "rcclkernel", STARTS },  { "rccldevkernel", STARTS },
    { "mscclkernel", STARTS }, { "allreducekernel", HAS },
};

/* Types of nodes that are named after the instruction inside. */
static const pattern wrappers[] = {
    { "async-start", IS }, { "async-update", IS }, { "async-done", IS },
    { "fusion", ENDS },    { "custom-call", IS },
};

/* Default names of nodes: the whole last part of a name, except for the endings
 * that base_of() removes. Users choose names such as "recv_embedding", so a
 * part of a name means nothing. */
static const struct {
    const char *word;
    tfp_agg_kind kind;
} names[] = {
    { "collectivereduce", TFP_KIND_COLLECTIVE },
    { "collectivegather", TFP_KIND_COLLECTIVE },
    { "collectivepermute", TFP_KIND_COLLECTIVE },
    { "collectivebcastsend", TFP_KIND_COLLECTIVE },
    { "collectivebcastrecv", TFP_KIND_COLLECTIVE },
    { "collectivereducescatter", TFP_KIND_COLLECTIVE },
    { "collectivealltoall", TFP_KIND_COLLECTIVE },
    { "ncclallreduce", TFP_KIND_COLLECTIVE },
    { "ncclreduce", TFP_KIND_COLLECTIVE },
    { "ncclbroadcast", TFP_KIND_COLLECTIVE },
    { "horovodallreduce", TFP_KIND_COLLECTIVE },
    { "horovodallgather", TFP_KIND_COLLECTIVE },
    { "horovodbroadcast", TFP_KIND_COLLECTIVE },
    { "horovodreducescatter", TFP_KIND_COLLECTIVE },
    { "horovodalltoall", TFP_KIND_COLLECTIVE },
    { "crossreplicasum", TFP_KIND_COLLECTIVE },
    { "xlaallreduce", TFP_KIND_COLLECTIVE },
    { "xlareducescatter", TFP_KIND_COLLECTIVE },
    { "dtensorallreduce", TFP_KIND_COLLECTIVE },
    { "dtensorallgather", TFP_KIND_COLLECTIVE },
    { "dtensorreducescatter", TFP_KIND_COLLECTIVE },
    { "all-reduce", TFP_KIND_COLLECTIVE },
    { "all-reduce-scatter", TFP_KIND_COLLECTIVE },
    { "all-gather", TFP_KIND_COLLECTIVE },
    { "all-to-all", TFP_KIND_COLLECTIVE },
    { "ragged-all-to-all", TFP_KIND_COLLECTIVE },
    { "reduce-scatter", TFP_KIND_COLLECTIVE },
    { "collective-permute", TFP_KIND_COLLECTIVE },
    { "collective-broadcast", TFP_KIND_COLLECTIVE },
    { "psum", TFP_KIND_COLLECTIVE },
    { "ppermute", TFP_KIND_COLLECTIVE },
    { "all_gather", TFP_KIND_COLLECTIVE },
    { "all_reduce", TFP_KIND_COLLECTIVE },
    { "all_to_all", TFP_KIND_COLLECTIVE },
    { "reduce_scatter", TFP_KIND_COLLECTIVE },
    { "iteratorgetnext", TFP_KIND_WAIT },
    { "iteratorgetnextsync", TFP_KIND_WAIT },
    { "iteratorgetnextasoptional", TFP_KIND_WAIT },
    { "multideviceiteratorgetnextfromshard", TFP_KIND_WAIT },
    { "optionalgetvalue", TFP_KIND_WAIT },
    { "queuedequeue", TFP_KIND_WAIT },
    { "queuedequeuemany", TFP_KIND_WAIT },
    { "queuedequeueupto", TFP_KIND_WAIT },
    { "accumulatortakegradient", TFP_KIND_WAIT },
    { "unstage", TFP_KIND_WAIT },
    { "mapunstage", TFP_KIND_WAIT },
    { "orderedmapunstage", TFP_KIND_WAIT },
    { "barrier", TFP_KIND_WAIT },
    { "recv", TFP_KIND_WAIT },
    { "hostrecv", TFP_KIND_WAIT },
    { "xlarecvfromhost", TFP_KIND_WAIT },
    { "xlarecvathost", TFP_KIND_WAIT },
    { "infeeddequeue", TFP_KIND_WAIT },
    { "infeeddequeuetuple", TFP_KIND_WAIT },
    { "outfeeddequeue", TFP_KIND_WAIT },
    { "outfeeddequeuetuple", TFP_KIND_WAIT },
    { "infeed", TFP_KIND_WAIT },
    { "outfeed", TFP_KIND_WAIT },
};

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static bool is_at(tfp_span text, size_t at, const char *word)
{
    return tfp_span_starts_any_case(
        (tfp_span){ text.data + at, text.size - at }, word);
}

static bool matches(tfp_span text, const char *word, match how)
{
    size_t size = strlen(word), at = 0;
    if (text.size < size)
        return false;
    switch (how) {
    case STARTS: return is_at(text, 0, word);
    case ENDS: return is_at(text, text.size - size, word);
    case IS: return text.size == size && is_at(text, 0, word);
    case HAS:
        while (at + size <= text.size && !is_at(text, at, word))
            at++;
        return at + size <= text.size;
    }
    return false;
}

static bool matches_any(tfp_span text, const pattern *patterns, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (matches(text, patterns[i].word, patterns[i].match))
            return true;
    }
    return false;
}

static tfp_span without_underscores(tfp_span text)
{
    while (text.size > 0 && text.data[0] == '_')
        text = (tfp_span){ text.data + 1, text.size - 1 };
    return text;
}

/* A name without "_N", ".N", "-start", "-update" and "-done" at its end, and
 * without the version of a type: "V2". */
static tfp_span base_of(tfp_span name)
{
    static const char *const ends[] = { "-start", "-update", "-done" };
    for (size_t before = 0; before != name.size;) {
        size_t at = name.size;
        before = name.size;
        while (at > 0 && name.data[at - 1] >= '0' && name.data[at - 1] <= '9')
            at--;
        if (at > 0 && at < name.size &&
            (name.data[at - 1] == '_' || name.data[at - 1] == '.' ||
             name.data[at - 1] == 'V'))
            name.size = at - 1;
        for (size_t i = 0; i < COUNT(ends); i++) {
            if (matches(name, ends[i], ENDS))
                name.size -= strlen(ends[i]);
        }
    }
    return name;
}

static bool is_collective_kernel(tfp_span name)
{
    if (matches(name, "void ", STARTS))
        name = (tfp_span){ name.data + 5, name.size - 5 };
    return matches_any(name, kernels, COUNT(kernels));
}

static tfp_agg_kind kind_of_name(tfp_span name)
{
    tfp_span base = base_of(without_underscores(tfp_span_base_name(name)));
    if (matches(base, "send", IS) &&
        matches(tfp_span_base_name(name), "-done", HAS))
        return TFP_KIND_WAIT;
    for (size_t i = 0; i < COUNT(names); i++) {
        if (matches(base, names[i].word, IS))
            return names[i].kind;
    }
    return TFP_KIND_COMPUTE;
}

static tfp_agg_kind kind_of_type(tfp_span op)
{
    if (tfp_waits_for_input(op))
        return TFP_KIND_WAIT;
    for (size_t i = 0; i < COUNT(types); i++) {
        if (matches(op, types[i].word, types[i].match))
            return types[i].kind;
    }
    return is_collective_kernel(op) ? TFP_KIND_COLLECTIVE : TFP_KIND_COMPUTE;
}

tfp_agg_kind tfp_agg_kind_of(tfp_span op, tfp_span name)
{
    tfp_agg_kind kind;
    if (tfp_span_is(op, "kernel") || tfp_span_equal(op, name)) {
        if (is_collective_kernel(tfp_span_base_name(name)))
            return TFP_KIND_COLLECTIVE;
        return tfp_span_equal(op, name) ? kind_of_name(name) : TFP_KIND_COMPUTE;
    }
    op = without_underscores(op);
    kind = kind_of_type(op);
    if (kind == TFP_KIND_COMPUTE &&
        matches_any(op, wrappers, COUNT(wrappers)) &&
        kind_of_name(name) == TFP_KIND_COLLECTIVE)
        return TFP_KIND_COLLECTIVE;
    return kind;
}
