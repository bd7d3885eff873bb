/*
 * tensor_values.c - the values of the tensor that a row is called after.
 */
#include "output/view/tensor_values.h"

#include "options/options.h"

#include "model/stored.h"

#include "model/ids.h"

#include "model/attrs.h"

#include "base/intern.h"

#include <math.h>

#include "base/escape.h"
#include "base/utf8.h"
#include "output/text/csv.h"
#include "output/text/decimal.h"
#include "output/text/figures.h"
#include "proto/dtype.h"
#include "proto/schema.h"

/* Digits after which a float, and a double, is read back as it was. */
enum { FLOAT_DIGITS = 9, DOUBLE_DIGITS = 17 };

bool tfp_view_has_values(const tfp_view *v)
{
    return v->values && v->select & TFP_SELECT_TENSOR_VALUE && !v->type->groups;
}

/* ---- Elements ----------------------------------------------------------- */

/* The tensor at hand. */
typedef struct elements {
    const tfp_view *view;
    const tfp_stored *tensor;
    uint32_t index;
    const tfp_dtype_facts *type; /* NULL: none that has values */
    const int64_t *dims;
    int rank;
    tfp_span piece;
    bool failed;
} elements;

static void note_failure(elements *e, int status, const tfprof_error *why)
{
    tfp_tensor_values *values = e->view->values;
    e->failed = true;
    values->stopped |= !tfp_tensor_is_damaged(status);
    if (values->status == TFPROF_OK || values->stopped) {
        values->status = status;
        values->why = *why;
    }
    values->damaged++;
    if (values->on_fault)
        values->on_fault(values->self, e->index, why);
}

/* Finds the tensor of a row; false when no checkpoint has one. */
static bool find(elements *e, const tfp_view *v, uint32_t row)
{
    const tfp_model *model = v->model;
    tfp_string name = tfp_interner_find(&model->strings,
                                        tfp_row_name(&v->rows.data[row]));
    *e = (elements){ .view = v };
    e->index = row == 0 || name == TFP_NO_ID || tfp_row_rest(v, row) > 0
                   ? TFP_NO_ID
                   : tfp_model_find_stored(model, name);
    if (e->index == TFP_NO_ID || v->values->stopped)
        return false;
    e->tensor = &model->stored.tensors.data[e->index];
    e->type = tfp_dtype_find(e->tensor->dtype);
    if (e->type && e->type->form == TFP_FORM_NONE)
        e->type = NULL;
    e->dims = tfp_shape_dims(model, e->tensor->shape, &e->rank);
    return true;
}

static bool open_elements(elements *e, tfprof_error *why)
{
    const tfp_tensor_source *source = &e->view->values->source;
    int status = source->open(source->self, e->index, why);
    if (status != TFPROF_OK)
        note_failure(e, status, why);
    return status == TFPROF_OK;
}

/* The bytes of the next element; false at the end, or after a failure. */
static bool next_element(elements *e, tfp_span *element, tfprof_error *why)
{
    const tfp_tensor_source *source = &e->view->values->source;
    size_t size = e->type->size;
    bool is_string = e->type->form == TFP_FORM_STRING;
    if (e->piece.size == 0 || is_string) {
        bool more = false;
        int status = source->next(source->self, &e->piece, &more, why);
        if (status != TFPROF_OK)
            note_failure(e, status, why);
        if (status != TFPROF_OK || !more)
            return false;
    }
    if (is_string)
        size = e->piece.size;
    *element = (tfp_span){ e->piece.data, size };
    e->piece.data += size;
    e->piece.size -= size;
    return true;
}

static uint64_t bits_of(tfp_span bytes)
{
    uint64_t bits = 0;
    for (size_t i = bytes.size; i-- > 0;)
        bits = bits << 8 | bytes.data[i];
    return bits;
}

/* ---- As upstream prints them -------------------------------------------- */

/* Upstream stops here: what is longer is cut. */
enum { MOST_SHOWN = 10000, LONGEST_NUMBER = TFP_DECIMAL_SIZE + 2 };

typedef struct shown {
    tfp_sink *sink;
    size_t size; /* so far, cut or not */
} shown;

static bool is_full(const shown *s)
{
    return s->size > MOST_SHOWN;
}

static void show(shown *s, tfp_span text)
{
    size_t room = s->size < MOST_SHOWN ? MOST_SHOWN - s->size : 0;
    s->size += text.size;
    if (text.size > room)
        text.size = room;
    if (text.size > 0)
        tfp_sink_escaped(s->sink, text);
}

/* Ends of lines are not escaped; all else that is shown here is harmless. */
static void show_plain(shown *s, const char *text)
{
    size_t room = s->size < MOST_SHOWN ? MOST_SHOWN - s->size : 0;
    tfp_span span = tfp_span_of(text);
    s->size += span.size;
    if (span.size > room)
        span.size = room;
    tfp_sink_bytes(s->sink, span);
}

static bool upstream_shows(const tfp_dtype_facts *type)
{
    return type &&
           (type->dtype == TFP_DT_FLOAT || type->dtype == TFP_DT_DOUBLE ||
            type->dtype == TFP_DT_INT32 || type->dtype == TFP_DT_INT64 ||
            type->dtype == TFP_DT_STRING);
}

static void show_element(shown *s, const elements *e, tfp_span element)
{
    char text[LONGEST_NUMBER];
    size_t size;
    if (e->type->form == TFP_FORM_STRING) {
        show_plain(s, "'");
        show(s, element);
        show_plain(s, "' ");
        return;
    }
    if (e->type->form == TFP_FORM_REAL)
        size = tfp_decimal_short(tfp_dtype_real(e->type, bits_of(element)),
                                 text);
    else
        size = tfp_figure_integer(tfp_dtype_integer(e->type, bits_of(element)),
                                  text);
    memcpy(text + size, " ", 2);
    show_plain(s, text);
}

/* Rows of the innermost dimension, with the brackets of the others around
 * them. place[] has the place of a row in all outer dimensions. */
typedef struct brackets {
    int64_t place[256];
    const int64_t *dims;
    int depth; /* outer dimensions; what has a length of 0 ends them */
} brackets;

static void show_opening(shown *s, const brackets *b)
{
    int at = b->depth;
    show_plain(s, "[");
    while (at-- > 0 && b->place[at] == 0)
        show_plain(s, "[");
}

/* Closes what ends with this row, and goes to the next one; false behind the
 * last, whose own bracket stays open. */
static bool show_closing(shown *s, brackets *b)
{
    int at = b->depth;
    while (at-- > 0) {
        show_plain(s, "],\n");
        if (++b->place[at] < b->dims[at])
            return true;
        b->place[at] = 0;
    }
    return false;
}

static int outer_dimensions(const elements *e)
{
    for (int i = 0; i < e->rank; i++) {
        if (e->dims[i] == 0)
            return i;
    }
    return e->rank > 0 ? e->rank - 1 : 0;
}

static void show_rows(shown *s, elements *e)
{
    brackets b = { .dims = e->dims, .depth = outer_dimensions(e) };
    int64_t length = e->rank > 0 ? e->dims[b.depth] : 1;
    do {
        show_opening(s, &b);
        for (int64_t i = 0; i < length && !is_full(s); i++) {
            tfprof_error why;
            tfp_span element;
            if (!next_element(e, &element, &why))
                return;
            show_element(s, e, element);
        }
    } while (show_closing(s, &b) && !is_full(s));
}

void tfp_row_put_value(const tfp_view *v, uint32_t row, tfp_sink *sink)
{
    elements e;
    shown s = { .sink = sink };
    tfprof_error why;
    if (!find(&e, v, row))
        return;
    if (!upstream_shows(e.type)) {
        v->values->unshown++;
        return;
    }
    if (!open_elements(&e, &why))
        return;
    show_rows(&s, &e);
    tfp_sink_text(sink, "],\n");
    if (s.size + strlen("],\n") >= MOST_SHOWN)
        tfp_sink_text(sink, "...omitted from display\n\n");
}

/* ---- For programs ------------------------------------------------------- */

static size_t write_real(const elements *e, double value, char *out)
{
    bool is_double = e->type->dtype == TFP_DT_DOUBLE ||
                     e->type->dtype == TFP_DT_COMPLEX128;
    return tfp_decimal_general(value, is_double ? DOUBLE_DIGITS : FLOAT_DIGITS,
                               out);
}

/* A whole number, a real or a truth. */
static size_t write_number(const elements *e, tfp_span element, char *out)
{
    uint64_t bits = bits_of(element);
    int64_t number;
    switch (e->type->form) {
    case TFP_FORM_REAL:
        return write_real(e, tfp_dtype_real(e->type, bits), out);
    case TFP_FORM_BOOL:
        memcpy(out, bits ? "true" : "false", bits ? 4 : 5);
        return bits ? 4 : 5;
    default: break;
    }
    number = tfp_dtype_integer(e->type, bits);
    if (e->type->form == TFP_FORM_UNSIGNED && number < 0) {
        /* The last digit apart: the rest is a number below 2^63. */
        size_t size = tfp_figure_integer((int64_t)((uint64_t)number / 10), out);
        out[size] = (char)('0' + (uint64_t)number % 10);
        out[size + 1] = '\0';
        return size + 1;
    }
    return tfp_figure_integer(number, out);
}

/* The two halves of a complex number. */
static void split_complex(const elements *e, tfp_span element, double parts[2])
{
    const tfp_dtype_facts *half = tfp_dtype_find(
        e->type->dtype == TFP_DT_COMPLEX64 ? TFP_DT_FLOAT : TFP_DT_DOUBLE);
    for (int i = 0; i < 2; i++)
        parts[i] = tfp_dtype_real(
            half,
            bits_of((tfp_span){ element.data + i * half->size, half->size }));
}

/* JSON has no such numbers. */
static void json_real(const elements *e, double value, tfp_json *json)
{
    char text[TFP_DECIMAL_SIZE];
    if (isnan(value)) {
        tfp_json_text(json, NULL, "NaN");
    } else if (isinf(value)) {
        tfp_json_text(json, NULL, value < 0 ? "-Infinity" : "Infinity");
    } else if (value == 0 && signbit(value)) { /* "-0" is often read as 0 */
        tfp_json_token(json, NULL, tfp_span_of("-0.0"));
    } else {
        size_t size = write_real(e, value, text);
        tfp_json_token(json, NULL, (tfp_span){ (const uint8_t *)text, size });
    }
}

static void json_element(const elements *e, tfp_span element, tfp_json *json)
{
    char text[TFP_DECIMAL_SIZE];
    double parts[2];
    size_t size;
    switch (e->type->form) {
    case TFP_FORM_STRING: tfp_json_string(json, NULL, element); break;
    case TFP_FORM_REAL:
        json_real(e, tfp_dtype_real(e->type, bits_of(element)), json);
        break;
    case TFP_FORM_COMPLEX:
        split_complex(e, element, parts);
        tfp_json_open_line(json, NULL, '[');
        json_real(e, parts[0], json);
        json_real(e, parts[1], json);
        tfp_json_close(json);
        break;
    default:
        size = write_number(e, element, text);
        tfp_json_token(json, NULL, (tfp_span){ (const uint8_t *)text, size });
        break;
    }
}

static void json_shape(const elements *e, tfp_json *json)
{
    if (e->rank < 0) {
        tfp_json_null(json, "shape");
        return;
    }
    tfp_json_open_line(json, "shape", '[');
    for (int i = 0; i < e->rank; i++)
        tfp_json_int(json, NULL, e->dims[i]);
    tfp_json_close(json);
}

static void json_elements(elements *e, tfp_json *json)
{
    tfprof_error why;
    tfp_span element;
    bool is_open = e->type && open_elements(e, &why);
    if (is_open) {
        tfp_json_open_line(json, "elements", '[');
        while (next_element(e, &element, &why))
            json_element(e, element, json);
        tfp_json_close(json);
    }
    if (!e->type)
        tfp_json_text(json, "error", "unsupported dtype");
    else if (e->failed)
        tfp_json_text(json, "error", why.message);
}

void tfp_row_json_value(const tfp_view *v, uint32_t row, tfp_json *json)
{
    elements e;
    if (!find(&e, v, row)) {
        tfp_json_null(json, "value");
        return;
    }
    tfp_json_open_line(json, "value", '{');
    if (e.type)
        tfp_json_text(json, "dtype", e.type->name);
    else
        tfp_json_int(json, "dtype", e.tensor->dtype);
    json_shape(&e, json);
    json_elements(&e, json);
    tfp_json_close(json);
}

static void csv_element(const elements *e, tfp_span element, tfp_sink *sink)
{
    char text[TFP_DECIMAL_SIZE];
    double parts[2];
    size_t size;
    switch (e->type->form) {
    case TFP_FORM_STRING:
        tfp_sink_text(sink, "'");
        tfp_csv_part(sink, element);
        tfp_sink_text(sink, "'");
        break;
    case TFP_FORM_COMPLEX:
        split_complex(e, element, parts);
        for (int i = 0; i < 2; i++) {
            size = write_real(e, parts[i], text);
            tfp_sink_text(sink, i == 0 ? "(" : ",");
            tfp_sink_bytes(sink, (tfp_span){ (const uint8_t *)text, size });
        }
        tfp_sink_text(sink, ")");
        break;
    default:
        size = write_number(e, element, text);
        tfp_sink_bytes(sink, (tfp_span){ (const uint8_t *)text, size });
        break;
    }
}

static void csv_elements(elements *e, tfp_sink *sink)
{
    tfprof_error why;
    tfp_span element;
    bool is_first = true;
    if (!e->type) {
        tfp_sink_text(sink, "unsupported dtype");
        return;
    }
    if (open_elements(e, &why)) {
        tfp_sink_text(sink, "[");
        for (; next_element(e, &element, &why); is_first = false) {
            tfp_sink_text(sink, is_first ? "" : " ");
            csv_element(e, element, sink);
        }
        tfp_sink_text(sink, "]");
    }
    if (e->failed) {
        tfp_sink_text(sink, "error: ");
        tfp_csv_part(sink, tfp_span_of(why.message));
    }
}

void tfp_row_csv_value(const tfp_view *v, uint32_t row, tfp_sink *sink)
{
    elements e;
    if (!find(&e, v, row)) {
        tfp_sink_text(sink, ",\"\",\"\",\"\"");
        return;
    }
    if (e.type)
        tfp_sink_format(sink, ",\"%s\",\"", e.type->name);
    else
        tfp_sink_format(sink, ",\"%d\",\"", e.tensor->dtype);
    for (int i = 0; i < e.rank; i++)
        tfp_sink_format(sink, i ? "x%lld" : "%lld", (long long)e.dims[i]);
    tfp_sink_text(sink, "\",\"");
    csv_elements(&e, sink);
    tfp_sink_text(sink, "\"");
}

/* ---- As a copy ---------------------------------------------------------- */

typedef struct keeper {
    tfp_memory *memory;
    tfp_kept_tensor *tensor;
    bool failed;
} keeper;

static void keep_text(keeper *k, const char *text, size_t size)
{
    k->failed |= !tfp_utf8_add(k->memory, &k->tensor->text,
                               (tfp_span){ (const uint8_t *)text, size });
}

static void keep_word(keeper *k, const char *word)
{
    keep_text(k, word, strlen(word));
}

static void keep_element_text(keeper *k, const elements *e, tfp_span element)
{
    char text[TFP_DECIMAL_SIZE];
    double parts[2];
    switch (e->type->form) {
    case TFP_FORM_STRING:
        keep_word(k, "'");
        keep_text(k, (const char *)element.data, element.size);
        keep_word(k, "'");
        break;
    case TFP_FORM_COMPLEX:
        split_complex(e, element, parts);
        for (int i = 0; i < 2; i++) {
            size_t size = write_real(e, parts[i], text);
            keep_word(k, i == 0 ? "(" : ",");
            keep_text(k, text, size);
        }
        keep_word(k, ")");
        break;
    default: keep_text(k, text, write_number(e, element, text)); break;
    }
}

static void keep_element(keeper *k, const elements *e, tfp_span element)
{
    tfp_kept_tensor *t = k->tensor;
    bool is_string = e->type->form == TFP_FORM_STRING;
    if (!TFP_VEC_RESERVE(k->memory, &t->bytes, element.size) ||
        (is_string &&
         !TFP_VEC_PUSH(k->memory, &t->ends, t->bytes.count + element.size))) {
        k->failed = true;
        return;
    }
    if (element.size > 0)
        memcpy(t->bytes.data + t->bytes.count, element.data, element.size);
    t->bytes.count += element.size;
    if (t->count++ > 0)
        keep_word(k, " ");
    keep_element_text(k, e, element);
}

static void keep_elements(keeper *k, elements *e)
{
    tfprof_error why = { .code = TFPROF_OK };
    tfp_span element;
    if (open_elements(e, &why)) {
        keep_word(k, "[");
        while (!k->failed && next_element(e, &element, &why))
            keep_element(k, e, element);
        keep_word(k, "]");
    }
    if (e->failed) {
        k->tensor->status = why.code;
        k->tensor->count = k->tensor->text.count = 0;
        keep_word(k, "error: ");
        keep_word(k, why.message);
    }
}

bool tfp_row_keep_value(const tfp_view *v, uint32_t row, tfp_memory *memory,
                        tfp_kept_tensor *t, bool *failed)
{
    keeper k = { .memory = memory, .tensor = t };
    elements e;
    *t = (tfp_kept_tensor){ .status = TFPROF_OK };
    *failed = false;
    if (!find(&e, v, row))
        return false;
    t->dtype = e.type ? e.type->name : NULL;
    t->rank = e.rank > 0 ? (size_t)e.rank : 0;
    t->dims = tfp_memory_array(memory, t->rank + 1, sizeof(*t->dims));
    k.failed = !t->dims;
    if (t->dims && t->rank > 0)
        memcpy(t->dims, e.dims, t->rank * sizeof(*t->dims));
    if (!e.type) {
        t->status = TFPROF_ERR_MISSING;
        keep_word(&k, "unsupported dtype");
    } else if (!k.failed) {
        keep_elements(&k, &e);
    }
    *failed = k.failed;
    return !k.failed;
}

void tfp_kept_tensor_release(tfp_kept_tensor *t, tfp_memory *memory)
{
    tfp_memory_free(memory, t->dims);
    TFP_VEC_RELEASE(memory, &t->bytes);
    TFP_VEC_RELEASE(memory, &t->ends);
    TFP_VEC_RELEASE(memory, &t->text);
}

/* ---- As a message ------------------------------------------------------- */

static void proto_real(double value, tfp_put *put)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof(bits));
    tfp_put_fixed(put, bits, sizeof(bits));
}

/* A string has to be UTF-8, or the message is refused. */
static void proto_string(const elements *e, tfp_span element, tfp_put *put)
{
    tfp_utf8 text = { 0 };
    if (tfp_utf8_run(element) < element.size) {
        put->failed |= !tfp_utf8_add(e->view->memory, &text, element);
        element = (tfp_span){ text.data, text.count };
    }
    tfp_put_bytes(put, TFProfTensorProto_value_str >> 3, element);
    TFP_VEC_RELEASE(e->view->memory, &text);
}

static void proto_element(const elements *e, tfp_span element, tfp_put *put)
{
    double parts[2];
    int64_t number;
    switch (e->type->form) {
    case TFP_FORM_STRING: proto_string(e, element, put); break;
    case TFP_FORM_REAL:
        proto_real(tfp_dtype_real(e->type, bits_of(element)), put);
        break;
    case TFP_FORM_COMPLEX:
        split_complex(e, element, parts);
        proto_real(parts[0], put);
        proto_real(parts[1], put);
        break;
    default:
        number = tfp_dtype_integer(e->type, bits_of(element));
        if (e->type->form == TFP_FORM_UNSIGNED && number < 0)
            number = INT64_MAX; /* there is no field for more */
        tfp_put_varint(put, (uint64_t)number);
        break;
    }
}

static void proto_elements(elements *e, tfp_put *put)
{
    bool is_real = e->type->form == TFP_FORM_REAL ||
                   e->type->form == TFP_FORM_COMPLEX;
    bool is_packed = e->type->form != TFP_FORM_STRING;
    size_t start = put->out.count, packed = 0, count = 0;
    tfprof_error why;
    tfp_span element;
    if (is_packed)
        packed = tfp_put_open(put, is_real ? TFProfTensorProto_value_double
                                           : TFProfTensorProto_value_int64);
    for (; !put->failed && next_element(e, &element, &why); count++)
        proto_element(e, element, put);
    if (is_packed)
        tfp_put_end(put, packed);
    if (count == 0 && !put->failed)
        put->out.count = start;
}

void tfp_row_proto_value(const tfp_view *v, uint32_t row, uint32_t tag,
                         tfp_put *put)
{
    size_t start = put->out.count, message;
    tfprof_error why;
    elements e;
    if (!find(&e, v, row))
        return;
    message = tfp_put_open(put, tag);
    tfp_put_number(put, TFProfTensorProto_dtype, e.tensor->dtype);
    if (e.type && open_elements(&e, &why))
        proto_elements(&e, put);
    tfp_put_end(put, message);
    if (e.failed && !put->failed)
        put->out.count = start;
}
