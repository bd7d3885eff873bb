/*
 * pprof_parts.c - the messages of profile.proto, written as they come.
 */
#include "output/pprof/pprof_parts.h"

#include "base/intern.h"

#include "base/escape.h"
#include "proto/schema.h"
#include "proto/wire.h"

enum { HEAD_BYTES = 16 }; /* of a tag and a length, at most */

/* ---- Life --------------------------------------------------------------- */

void tfp_pprof_init(tfp_pprof *p, const tfp_model *model, tfp_sink *sink)
{
    *p = (tfp_pprof){ .sink = sink,
                      .memory = model->memory,
                      .model = model,
                      .name_count = tfp_interner_count(&model->strings) };
    tfp_put_init(&p->put, p->memory);
    p->numbers = tfp_memory_zarray(p->memory, p->name_count,
                                   sizeof(*p->numbers));
    p->failed = !p->numbers;
    if (p->failed)
        return;
    tfp_pprof_text(p, (tfp_span){ NULL, 0 });
}

void tfp_pprof_release(tfp_pprof *p)
{
    tfp_memory_free(p->memory, p->numbers);
    tfp_put_release(&p->put);
}

bool tfp_pprof_ok(const tfp_pprof *p)
{
    return !p->failed && !p->put.failed;
}

/* ---- The way out -------------------------------------------------------- */

/* The tag and length of a field. */
static void write_head(tfp_pprof *p, uint32_t tag, size_t size)
{
    uint8_t *at = (uint8_t *)tfp_sink_room(p->sink, HEAD_BYTES);
    uint8_t *end = tfp_put_varint_at(tfp_put_varint_at(at, tag), size);
    tfp_sink_took(p->sink, (size_t)(end - at));
}

/* What was put is one field of the profile. */
static void write_put(tfp_pprof *p)
{
    tfp_sink_bytes(p->sink, tfp_put_span(&p->put));
    tfp_put_clear(&p->put);
}

/* ---- Strings ------------------------------------------------------------ */

uint32_t tfp_pprof_text(tfp_pprof *p, tfp_span text)
{
    if (p->failed || p->string_count == UINT32_MAX) {
        p->failed = true;
        return 0;
    }
    if (tfp_escape_plain(text) == text.size) {
        write_head(p, PprofProfile_string_table, text.size);
        tfp_sink_bytes(p->sink, text);
    } else {
        write_head(p, PprofProfile_string_table, tfp_escape(text, NULL, 0));
        tfp_sink_escaped(p->sink, text);
    }
    return p->string_count++;
}

uint32_t tfp_pprof_name(tfp_pprof *p, tfp_string name)
{
    if (name == 0 || p->failed)
        return 0;
    if (p->numbers[name] == 0)
        p->numbers[name] = tfp_pprof_text(p, tfp_model_text(p->model, name));
    return p->numbers[name];
}

/* ---- Messages ----------------------------------------------------------- */

static size_t begin(tfp_pprof *p, uint32_t tag)
{
    return tfp_put_begin(&p->put, tfp_tag_number(tag));
}

static void put_int(tfp_pprof *p, uint32_t tag, int64_t value)
{
    if (value != 0) /* which is what a reader takes for an absent one */
        tfp_put_int(&p->put, tfp_tag_number(tag), value);
}

static void end_and_write(tfp_pprof *p, size_t message)
{
    tfp_put_end(&p->put, message);
    write_put(p);
}

void tfp_pprof_type(tfp_pprof *p, uint32_t type, uint32_t unit)
{
    size_t message = begin(p, PprofProfile_sample_type);
    put_int(p, PprofValueType_type, type);
    put_int(p, PprofValueType_unit, unit);
    end_and_write(p, message);
}

void tfp_pprof_comment(tfp_pprof *p, uint32_t text)
{
    put_int(p, PprofProfile_comment, text);
    write_put(p);
}

void tfp_pprof_default_type(tfp_pprof *p, uint32_t type)
{
    put_int(p, PprofProfile_default_sample_type, type);
    write_put(p);
}

void tfp_pprof_add_function(tfp_pprof *p, uint64_t id,
                            const tfp_pprof_function *function)
{
    size_t message = begin(p, PprofProfile_function);
    put_int(p, PprofFunction_id, (int64_t)id);
    put_int(p, PprofFunction_name, function->name);
    put_int(p, PprofFunction_filename, function->file);
    put_int(p, PprofFunction_start_line, function->start_line);
    end_and_write(p, message);
}

void tfp_pprof_add_location(tfp_pprof *p, uint64_t id, uint64_t function,
                            int64_t line)
{
    size_t message = begin(p, PprofProfile_location), inner;
    put_int(p, PprofLocation_id, (int64_t)id);
    inner = begin(p, PprofLocation_line);
    put_int(p, PprofLine_function_id, (int64_t)function);
    put_int(p, PprofLine_line, line);
    tfp_put_end(&p->put, inner);
    end_and_write(p, message);
}

/* ---- Samples ------------------------------------------------------------ */

/* The message has nothing around it in `put`: its length is known when it is
 * complete. */
size_t tfp_pprof_begin_sample(tfp_pprof *p)
{
    return begin(p, PprofSample_location_id);
}

size_t tfp_pprof_begin_values(tfp_pprof *p, size_t stack)
{
    tfp_put_end(&p->put, stack);
    return begin(p, PprofSample_value);
}

void tfp_pprof_end_values(tfp_pprof *p, size_t values)
{
    tfp_put_end(&p->put, values);
}

void tfp_pprof_label(tfp_pprof *p, uint32_t key, uint32_t text)
{
    size_t message = begin(p, PprofSample_label);
    put_int(p, PprofLabel_key, key);
    put_int(p, PprofLabel_str, text);
    tfp_put_end(&p->put, message);
}

void tfp_pprof_end_sample(tfp_pprof *p)
{
    write_head(p, PprofProfile_sample, p->put.out.count);
    write_put(p);
}
