/*
 * model_request.c - which graph and signature are counted, and what the user
 * says of them.
 */
#include "api/model_request.h"

#include "model/saved.h"

#include "model/model.h"

#include "model/ids.h"

#include "model/graph.h"

#include "model/attrs.h"

#include "base/memory.h"

#include "base/intern.h"

#include "base/error.h"

#include <stdio.h>

#include "base/escape.h"
#include "model/inputs.h"
#include "options/values.h"

enum { SHOWN = 80 }; /* bytes of a word in a message */

/* ---- Graphs ------------------------------------------------------------- */

static bool is_counted(const tfp_graph *graph)
{
    return graph->kind == TFP_GRAPH_PLAIN;
}

/* The first graph with nodes, or else the first. */
static uint32_t find_graph(const tfp_model *model)
{
    uint32_t first = TFP_NO_ID;
    for (size_t i = 0; i < model->graphs.count; i++) {
        const tfp_graph *graph = &model->graphs.data[i];
        if (is_counted(graph) && graph->node_count > 0)
            return (uint32_t)i;
        if (is_counted(graph) && first == TFP_NO_ID)
            first = (uint32_t)i;
    }
    return first;
}

/* ---- Signatures --------------------------------------------------------- */

/* What Keras writes to run when a model is loaded; nobody asks what it costs
 * unless by name. */
static bool is_initializer(tfp_span key)
{
    return tfp_span_is(key, "__saved_model_init_op");
}

static tfp_span key_of(const tfp_model *model, size_t signature)
{
    return tfp_model_text(model, model->signatures.data[signature].key);
}

/* The signature of that name, of the graph or, if `anywhere`, of another. */
static uint32_t find_signature(const tfp_model *model, uint32_t graph,
                               const char *wanted, bool anywhere)
{
    uint32_t elsewhere = TFP_NO_ID;
    for (size_t i = 0; i < model->signatures.count; i++) {
        if (!tfp_span_is(key_of(model, i), wanted))
            continue;
        if (model->signatures.data[i].graph == graph)
            return (uint32_t)i;
        if (anywhere && elsewhere == TFP_NO_ID)
            elsewhere = (uint32_t)i;
    }
    return elsewhere;
}

/* The only one that is no initializer; TFP_NO_ID when there are more, and
 * *count says how many. */
static uint32_t find_only(const tfp_model *model, uint32_t graph, size_t *count)
{
    uint32_t only = TFP_NO_ID;
    *count = 0;
    for (size_t i = 0; i < model->signatures.count; i++) {
        if (model->signatures.data[i].graph != graph ||
            is_initializer(key_of(model, i)))
            continue;
        only = (uint32_t)i;
        ++*count;
    }
    return *count == 1 ? only : TFP_NO_ID;
}

/* "a, b and 3 more": as many as there is room for, and how many are left. */
static void list_signatures(const tfp_model *model, uint32_t graph, char *out,
                            size_t size)
{
    enum { BEHIND = 32 }; /* room for " and N more" */
    size_t used = 0, left = 0;
    out[0] = '\0';
    for (size_t i = 0; i < model->signatures.count; i++) {
        char key[SHOWN];
        size_t length;
        if (model->signatures.data[i].graph != graph ||
            is_initializer(key_of(model, i)))
            continue;
        tfp_escape_short(key_of(model, i), key, sizeof(key));
        length = strlen(key) + 2;
        if (left > 0 || used + length + BEHIND >= size) {
            left++;
            continue;
        }
        used += (size_t)snprintf(out + used, size - used, "%s%s",
                                 used > 0 ? ", " : "", key);
    }
    if (left > 0)
        snprintf(out + used, size - used, " and %zu more", left);
}

static int fail_signature(const tfp_model *model, uint32_t graph,
                          const char *wanted, tfprof_error *err)
{
    tfp_nearest nearest = tfp_nearest_to(wanted, strlen(wanted));
    char all[120], near[SHOWN] = "", word[SHOWN];
    list_signatures(model, graph, all, sizeof(all));
    tfp_escape_short(tfp_span_of(wanted), word, sizeof(word) / 2);
    for (size_t i = 0; i < model->signatures.count; i++) {
        tfp_span key = key_of(model, i);
        if (tfp_nearest_try(&nearest, (const char *)key.data, key.size))
            tfp_escape_short(key, near, sizeof(near) / 2);
    }
    if (all[0] == '\0')
        return tfp_fail(err, TFPROF_ERR_MISSING, -1,
                        "--signature: the model has no signatures");
    return tfp_fail(err, TFPROF_ERR_MISSING, -1,
                    "--signature: no signature '%s'%s%s%s (available: %s)",
                    word, near[0] ? " (did you mean " : "", near,
                    near[0] ? "?)" : "", all);
}

static int choose_signature(const tfprof_profile *p, tfp_shape_request *request,
                            tfprof_error *err)
{
    const tfp_model *model = &p->model;
    const tfp_words *words = &p->options.signature;
    const char *wanted = words->count > 0 ? words->data : "serving_default";
    char all[160];
    size_t count;
    request->signature = find_signature(model, request->graph, wanted,
                                        words->count > 0);
    if (request->signature != TFP_NO_ID) {
        request->graph = model->signatures.data[request->signature].graph;
        return TFPROF_OK;
    }
    if (words->count > 0)
        return fail_signature(model, request->graph, wanted, err);
    request->signature = find_only(model, request->graph, &count);
    if (count < 2)
        return TFPROF_OK;
    list_signatures(model, request->graph, all, sizeof(all));
    return tfp_fail(
        err, TFPROF_ERR_MISSING, -1,
        "the model has no signature serving_default; choose another with "
        "--signature (available: %s)",
        all);
}

/* ---- What the user says ------------------------------------------------- */

typedef struct setting {
    const char *option;
    const char *word; /* "name=1x2" */
    size_t name_size;
    const char *value;
} setting;

static int fail_setting(const setting *s, const char *why, tfprof_error *err)
{
    char word[SHOWN];
    tfp_escape_short(tfp_span_of(s->word), word, sizeof(word));
    return tfp_fail(err, TFPROF_ERR_OPTION, -1, "--%s: '%s': %s", s->option,
                    word, why);
}

/* Digits alone, up to INT64_MAX. */
static bool read_number(const char **at, int64_t *out)
{
    const char *start = *at;
    int64_t value = 0;
    for (; **at >= '0' && **at <= '9'; ++*at) {
        if (__builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, **at - '0', &value))
            return false;
    }
    *out = value;
    return *at > start;
}

/* "1x224x?x3"; "scalar" has no dimensions. */
static int read_shape(tfp_model *model, const setting *s, tfp_shape *shape,
                      tfprof_error *err)
{
    int64_t dims[TFP_MOST_RANK];
    size_t rank = 0;
    const char *at = s->value;
    if (strcmp(at, "scalar") != 0) {
        for (;; at++) {
            if (rank == TFP_MOST_RANK)
                return fail_setting(s, "too many dimensions", err);
            if (*at == '?') {
                dims[rank++] = TFP_DIM_UNKNOWN;
                at++;
            } else if (!read_number(&at, &dims[rank++])) {
                return fail_setting(
                    s, "expected a shape such as 1x224x224x3, ?x10 or scalar",
                    err);
            }
            if (*at != 'x')
                break;
        }
        if (*at != '\0')
            return fail_setting(
                s, "expected a shape such as 1x224x224x3, ?x10 or scalar", err);
    }
    *shape = tfp_model_shape(model, dims, rank);
    return *shape == TFP_NO_ID ? tfp_fail_nomem(err) : TFPROF_OK;
}

static int read_trips(const setting *s, int64_t *trips, tfprof_error *err)
{
    const char *at = s->value;
    if (!read_number(&at, trips) || *at != '\0')
        return fail_setting(s, "expected an iteration count such as 20", err);
    return TFPROF_OK;
}

/* ---- Names -------------------------------------------------------------- */

/* The node behind a signature's input of that name, or TFP_NO_ID. */
static tfp_string find_key(const tfp_model *model,
                           const tfp_shape_request *request, tfp_span name)
{
    const tfp_signature *signature;
    if (request->signature == TFP_NO_ID)
        return TFP_NO_ID;
    signature = &model->signatures.data[request->signature];
    for (size_t i = 0; i < signature->tensors.count; i++) {
        const tfp_signature_tensor *tensor = &signature->tensors.data[i];
        if (!tensor->is_output &&
            tfp_span_equal(tfp_model_text(model, tensor->key), name))
            return tfp_node_of_tensor(model, tensor->name);
    }
    return TFP_NO_ID;
}

/* Is a node of the graph, or of one of its functions, called so? */
static bool has_node(tfp_model *model, uint32_t graph, tfp_string name)
{
    for (size_t i = 0; i < model->graphs.count; i++) {
        const tfp_graph *g = &model->graphs.data[i];
        const tfp_nodes *nodes = tfp_graph_nodes(model, g);
        if (i != graph && !(g->kind == TFP_GRAPH_FUNCTION && g->owner == graph))
            continue;
        for (uint32_t n = 0; n < g->node_count; n++) {
            if (nodes->name[g->first_node + n] == name)
                return true;
        }
    }
    return false;
}

/* Does a loop go by that name? One of TF1 is the scope of its nodes; one in a
 * function may have the names of callers before its own. */
static bool has_loop(tfp_model *model, uint32_t graph, tfp_span text)
{
    for (size_t i = 0; i < model->graphs.count; i++) {
        const tfp_graph *g = &model->graphs.data[i];
        const tfp_nodes *nodes = tfp_graph_nodes(model, g);
        bool is_function = g->kind == TFP_GRAPH_FUNCTION && g->owner == graph;
        for (uint32_t n = 0; (i == graph || is_function) && n < g->node_count;
             n++) {
            tfp_span name = tfp_model_text(model,
                                           nodes->name[g->first_node + n]);
            if (name.size > text.size && name.data[text.size] == '/' &&
                !memcmp(name.data, text.data, text.size))
                return true;
            if (is_function && text.size > name.size && name.size > 0 &&
                text.data[text.size - name.size - 1] == '/' &&
                !memcmp(text.data + text.size - name.size, name.data,
                        name.size))
                return true;
        }
    }
    return false;
}

static int fail_name(tfprof_profile *p, const tfp_shape_request *request,
                     const setting *s, tfprof_error *err)
{
    tfp_nearest nearest = tfp_nearest_to(s->word, s->name_size);
    char near[SHOWN] = "", why[2 * SHOWN];
    const tfp_graph *graph = &p->model.graphs.data[request->graph];
    const tfp_nodes *nodes = tfp_graph_nodes(&p->model, graph);
    for (uint32_t n = 0; n < graph->node_count; n++) {
        tfp_span name = tfp_model_text(&p->model,
                                       nodes->name[graph->first_node + n]);
        if (tfp_nearest_try(&nearest, (const char *)name.data, name.size))
            tfp_escape_short(name, near, sizeof(near));
    }
    snprintf(why, sizeof(why), "no node or input has this name%s%s%s",
             near[0] ? " (did you mean " : "", near, near[0] ? "?)" : "");
    return fail_setting(s, why, err);
}

static int find_name(tfprof_profile *p, const tfp_shape_request *request,
                     const setting *s, bool is_loop, tfp_string *name,
                     tfprof_error *err)
{
    tfp_span text = { (const uint8_t *)s->word, s->name_size };
    *name = find_key(&p->model, request, text);
    if (*name != TFP_NO_ID)
        return TFPROF_OK;
    if (is_loop && text.size > 0 && has_loop(&p->model, request->graph, text)) {
        *name = tfp_model_string(&p->model, text);
        return *name == TFP_NO_ID ? tfp_fail_nomem(err) : TFPROF_OK;
    }
    *name = tfp_interner_find(&p->model.strings, text);
    if (*name == TFP_NO_ID || *name == 0 ||
        !has_node(&p->model, request->graph, *name))
        return fail_name(p, request, s, err);
    return TFPROF_OK;
}

static int read_setting(tfp_model_request *r, tfprof_profile *p,
                        const setting *s, bool is_shape, tfprof_error *err)
{
    tfp_given given = { .shape = TFP_SHAPE_NONE, .trips = -1 };
    int status = is_shape ? read_shape(&p->model, s, &given.shape, err)
                          : read_trips(s, &given.trips, err);
    if (status == TFPROF_OK)
        status = find_name(p, &r->request, s, !is_shape, &given.name, err);
    if (status == TFPROF_OK && !TFP_VEC_PUSH(r->memory, &r->given, given))
        status = tfp_fail_nomem(err);
    return status;
}

/* Names may hold "=", values do not. */
static int read_settings(tfp_model_request *r, tfprof_profile *p,
                         const tfp_words *words, const char *option,
                         bool is_shape, tfprof_error *err)
{
    const char *word = words->data;
    int status = TFPROF_OK;
    for (size_t i = 0; status == TFPROF_OK && i < words->count; i++) {
        const char *sign = strrchr(word, '=');
        setting s = { option, word, 0, sign ? sign + 1 : "" };
        s.name_size = sign ? (size_t)(sign - word) : strlen(word);
        status = sign ? read_setting(r, p, &s, is_shape, err)
                      : fail_setting(&s,
                                     is_shape ? "expected NAME=DIMxDIM..."
                                              : "expected NAME=N",
                                     err);
        word += strlen(word) + 1;
    }
    return status;
}

/* ---- All ---------------------------------------------------------------- */

static bool walks(const tfp_options *options)
{
    if (options->functions != TFP_FUNCTIONS_AUTO)
        return options->functions == TFP_FUNCTIONS_WALK;
    return options->formulas == TFP_FORMULAS_AUTO ||
           options->formulas == TFP_FORMULAS_FULL;
}

/* In views, batch dims stay unknown unless the user sets them. */
static int64_t view_batch(const tfp_options *options)
{
    return options->batch == TFP_BATCH_AUTO ? -1 : options->batch;
}

/* The default batch is 1, so that the cost of one example is counted. With run
 * records there is no default: they hold the real sizes, which a batch of 1
 * would contradict. */
static void choose_batch(const tfp_options *options, tfp_shape_request *request)
{
    bool is_ours = options->batch == TFP_BATCH_AUTO && !request->uses_runs;
    request->batch = is_ours ? 1 : view_batch(options);
    request->batch_is_ours = is_ours;
}

/* What the user says of nodes. */
static int read_given(tfp_model_request *r, tfprof_profile *p,
                      tfprof_error *err)
{
    int status = read_settings(r, p, &p->options.shape, "shape", true, err);
    if (status == TFPROF_OK)
        status = read_settings(r, p, &p->options.trips, "trips", false, err);
    r->request.given = r->given.data;
    r->request.given_count = r->given.count;
    return status;
}

int tfp_model_request_init_graph(tfp_model_request *r, tfprof_profile *p,
                                 uint32_t graph, tfprof_error *err)
{
    *r = (tfp_model_request){ .memory = &p->memory };
    r->request = (tfp_shape_request){ .graph = graph,
                                      .signature = TFP_NO_ID,
                                      .walk = p->options.functions ==
                                              TFP_FUNCTIONS_WALK,
                                      .batch = view_batch(&p->options),
                                      .uses_runs = p->model.steps.count > 0 };
    return read_given(r, p, err);
}

static bool has_trace(const tfp_model *model)
{
    for (size_t i = 0; i < model->inputs.count; i++) {
        if (model->inputs.data[i].trace.is_one)
            return true;
    }
    return false;
}

int tfp_model_request_init(tfp_model_request *r, tfprof_profile *p,
                           tfprof_error *err)
{
    int status;
    *r = (tfp_model_request){ .memory = &p->memory };
    r->request = (tfp_shape_request){ .graph = find_graph(&p->model),
                                      .signature = TFP_NO_ID,
                                      .walk = walks(&p->options),
                                      .uses_runs = p->model.steps.count > 0 };
    choose_batch(&p->options, &r->request);
    if (r->request.graph == TFP_NO_ID && has_trace(&p->model))
        return tfp_fail(
            err, TFPROF_ERR_MISSING, -1,
            "a trace contains no graph, so its float operations cannot be "
            "computed (to show the recorded ones, use tfprof op TRACE --select "
            "float_ops)");
    if (r->request.graph == TFP_NO_ID)
        return tfp_fail(err, TFPROF_ERR_MISSING, -1,
                        "no input contains a graph (give a GraphDef, "
                        "MetaGraphDef or SavedModel)");
    status = choose_signature(p, &r->request, err);
    return status == TFPROF_OK ? read_given(r, p, err) : status;
}

void tfp_model_request_release(tfp_model_request *r)
{
    TFP_VEC_RELEASE(r->memory, &r->given);
}
