/*
 * programs.c - the compiled programs that a trace contains or names.
 */
#include "trace/programs.h"

#include "base/hash.h"
#include "model/programs.h"
#include "trace/hlo_flops.h"
#include "trace/hlo_print.h"

bool tfp_trace_programs_init(tfp_trace_programs *p, tfp_memory *memory,
                             uint64_t seed, int max_depth)
{
    *p = (tfp_trace_programs){ .memory = memory, .max_depth = max_depth };
    tfp_id_map_init(&p->ids, memory, seed);
    return tfp_interner_init(&p->bare, memory, 8, seed);
}

void tfp_trace_programs_release(tfp_trace_programs *p)
{
    for (size_t i = 0; i < p->all.count; i++) {
        if (tfp_trace_program_has_hlo(p->all.data[i]))
            tfp_hlo_release(&p->all.data[i]->hlo);
        tfp_memory_free(p->memory, p->all.data[i]);
    }
    TFP_VEC_RELEASE(p->memory, &p->all);
    TFP_VEC_RELEASE(p->memory, &p->bare_at);
    tfp_id_map_release(&p->ids);
    tfp_interner_release(&p->bare);
}

/* ---- Adding ------------------------------------------------------------- */

/* The number in brackets at the end of "jit_f(17)": libtpu 0.0.37 has wrong
 * numbers everywhere else. */
static bool number_in_name(tfp_span name, uint64_t *number)
{
    size_t at = tfp_module_name(name).size + 1;
    uint64_t value = 0;
    if (at > name.size)
        return false;
    for (; at + 1 < name.size; at++)
        value = 10 * value + (uint64_t)(name.data[at] - '0');
    *number = value;
    return true;
}

/* Its index, or TFP_NO_ID when out of memory. */
static uint32_t add(tfp_trace_programs *p, tfp_trace_program from)
{
    tfp_trace_program *program = tfp_memory_alloc(p->memory, sizeof(*program));
    if (!program)
        return TFP_NO_ID;
    *program = from;
    program->key = TFP_NO_ID;
    if (p->all.count < TFP_NO_ID && TFP_VEC_PUSH(p->memory, &p->all, program))
        return (uint32_t)p->all.count - 1;
    tfp_memory_free(p->memory, program);
    return TFP_NO_ID;
}

static int add_program(tfp_trace_programs *p, const tfp_event_type *type,
                       tfp_span bytes, const tfp_stats *stats,
                       tfprof_error *err)
{
    uint64_t id = (uint64_t)type->id;
    uint32_t at;
    int64_t stated;
    (void)number_in_name(type->name, &id);
    if (tfp_stats_number(stats, TFP_KNOWN_PROGRAM, &stated))
        id = (uint64_t)stated;
    if (tfp_id_map_find(&p->ids, (int64_t)id) != TFP_NO_ID)
        return TFPROF_OK; /* the first stands */
    at = add(p, (tfp_trace_program){ .bytes = bytes, .name = type->name });
    p->with_hlo++;
    return at != TFP_NO_ID && tfp_id_map_put(&p->ids, (int64_t)id, at)
               ? TFPROF_OK
               : tfp_fail_nomem(err);
}

int tfp_trace_add_programs(tfp_trace_programs *p, const tfp_plane *plane,
                           tfprof_error *err)
{
    int status = TFPROF_OK;
    for (size_t i = 0; i < plane->event_types.count && status == TFPROF_OK;
         i++) {
        const tfp_event_type *type = &plane->event_types.data[i];
        tfp_stats stats;
        tfp_span bytes;
        tfp_stats_of_type(&stats, plane, type);
        bytes = tfp_stats_bytes(&stats, TFP_KNOWN_HLO_PROTO);
        if (bytes.size == 0)
            bytes = tfp_stats_bytes(&stats, TFP_KNOWN_HLO_PROTO_LIBTPU);
        if (bytes.size > 0)
            status = add_program(p, type, bytes, &stats, err);
    }
    return status;
}

uint32_t tfp_trace_program_add_bare(tfp_trace_programs *p, uint64_t id,
                                    tfp_span module)
{
    uint64_t key[] = { id, tfp_hash(module, p->bare.seed) };
    uint32_t item, at;
    if (!TFP_VEC_RESERVE(p->memory, &p->bare_at, 1))
        return TFP_NO_ID;
    item = tfp_intern(&p->bare,
                      (tfp_span){ (const uint8_t *)key, sizeof(key) });
    if (item == TFP_NO_ID || item <= p->bare_at.count)
        return item == TFP_NO_ID ? item : p->bare_at.data[item - 1];
    at = add(p, (tfp_trace_program){ .name = module, .is_read = true });
    p->bare_at.data[p->bare_at.count++] = at;
    return at;
}

/* ---- Reading ------------------------------------------------------------ */

/* Only memory that ran out is a failure: what a damaged program says is not
 * known, and that is noted. */
static int read_program(tfp_trace_programs *p, uint32_t at, tfprof_error *err)
{
    tfp_trace_program *program = p->all.data[at];
    tfprof_error why = { 0 };
    int status;
    if (program->is_read)
        return TFPROF_OK;
    program->is_read = true;
    status = tfp_hlo_read(&program->hlo, p->memory, program->bytes,
                          p->max_depth, &why);
    program->is_damaged = status != TFPROF_OK;
    if (status == TFPROF_ERR_NOMEM)
        return tfp_fail_nomem(err);
    if (program->is_damaged) {
        if (p->damaged++ == 0) {
            p->damaged_name = program->name;
            p->damage = why;
        }
        return TFPROF_OK;
    }
    return tfp_hlo_count_flops(&program->hlo, err);
}

int tfp_trace_program_find(tfp_trace_programs *p, uint64_t id,
                           uint32_t *program, tfprof_error *err)
{
    *program = tfp_id_map_find(&p->ids, (int64_t)id);
    return *program == TFP_NO_ID ? TFPROF_OK : read_program(p, *program, err);
}

/* ---- Keys --------------------------------------------------------------- */

void tfp_trace_program_names(tfp_trace_programs *p, uint32_t at,
                             tfp_span instruction)
{
    /* A sum does not depend on the order of the names. */
    p->all.data[at]->names += tfp_hash(instruction, 0);
}

tfp_span tfp_trace_program_module(const tfp_trace_programs *p, uint32_t at)
{
    const tfp_trace_program *program = p->all.data[at];
    tfp_span name = program->name;
    if (tfp_trace_program_has_hlo(program) && program->hlo.name != 0)
        name = tfp_hlo_text(&program->hlo, program->hlo.name);
    return name.size > 0 ? tfp_module_name(name) : tfp_span_of("(no module)");
}

int tfp_trace_program_key(tfp_trace_programs *p, tfp_model *model, uint32_t at,
                          uint32_t *key, tfprof_error *err)
{
    tfp_trace_program *program = p->all.data[at];
    uint64_t fingerprint = program->names;
    int status = TFPROF_OK;
    if (program->key == TFP_NO_ID && tfp_trace_program_has_hlo(program))
        status = tfp_hlo_fingerprint(&program->hlo, &fingerprint, err);
    if (status == TFPROF_OK && program->key == TFP_NO_ID)
        program->key = tfp_model_program(model, tfp_trace_program_module(p, at),
                                         fingerprint);
    *key = program->key;
    if (status != TFPROF_OK)
        return status;
    return *key == TFP_NO_ID ? tfp_fail_nomem(err) : TFPROF_OK;
}
