/*
 * steps.c - what was run, when, where, and with how much memory.
 *
 * A packed detail is 16 bits that say which figures follow, each a zigzag
 * varint; then the outputs and the allocations, each with their count.
 * Peak and output bytes are nearly always the requested bytes, so they are
 * kept as the difference to them and mostly vanish.
 */
#include "model/steps.h"

#include <stdio.h>

#include "base/intern.h"

#include "model/model.h"

enum { FIGURES = sizeof(tfp_exec_figures) / sizeof(int64_t) };

/* Where figures stand as an array. The order is that of the struct. */
enum { REQUESTED = 0, PEAK = 1, OUTPUT = 3 };

/* Beyond the figures: are there outputs, are there allocations? */
enum { HAS_OUTPUTS = 1 << FIGURES, HAS_ALLOCATIONS = 1 << (FIGURES + 1) };
_Static_assert(FIGURES + 2 <= 16, "the marks fit into two bytes");

enum { VARINT_MOST = 10 };

/* ---- Packing ------------------------------------------------------------ */

static uint8_t *put(uint8_t *at, uint64_t value)
{
    while (value >= 0x80) {
        *at++ = (uint8_t)(value | 0x80);
        value >>= 7;
    }
    *at++ = (uint8_t)value;
    return at;
}

static uint64_t zigzag(int64_t value)
{
    return (uint64_t)value << 1 ^ (uint64_t)(value >> 63);
}

static const uint8_t *get(const uint8_t *at, uint64_t *value)
{
    uint64_t sum = 0;
    int shift = 0;
    for (; *at >= 0x80; shift += 7)
        sum |= (uint64_t)(*at++ & 0x7f) << shift;
    *value = sum | (uint64_t)*at++ << shift;
    return at;
}

static const uint8_t *get_signed(const uint8_t *at, int64_t *value)
{
    uint64_t raw;
    at = get(at, &raw);
    *value = (int64_t)(raw >> 1 ^ (0 - (raw & 1)));
    return at;
}

/* Differences wrap instead of overflowing, and wrap back when read. */
static int64_t wrap(int64_t a, int64_t b, bool plus)
{
    return (int64_t)(plus ? (uint64_t)a + (uint64_t)b
                          : (uint64_t)a - (uint64_t)b);
}

static void relate(int64_t figures[FIGURES], bool plus)
{
    figures[PEAK] = wrap(figures[PEAK], figures[REQUESTED], plus);
    figures[OUTPUT] = wrap(figures[OUTPUT], figures[REQUESTED], plus);
}

static bool pack(tfp_step *step, tfp_memory *memory,
                 const tfp_exec_detail *detail)
{
    int64_t figures[FIGURES];
    uint16_t mask = 0;
    uint8_t *start, *at;
    size_t most = (size_t)VARINT_MOST *
                  (FIGURES + 3 + 5 * detail->output_count +
                   2 * detail->allocation_count);
    if (!TFP_VEC_RESERVE(memory, &step->details, most))
        return false;
    memcpy(figures, &detail->figures, sizeof(figures));
    relate(figures, false);
    start = step->details.data + step->details.count;
    at = start + sizeof(mask);
    for (int i = 0; i < FIGURES; i++) {
        if (figures[i] != 0) {
            mask |= (uint16_t)(1u << i);
            at = put(at, zigzag(figures[i]));
        }
    }
    mask |= detail->output_count ? HAS_OUTPUTS : 0;
    mask |= detail->allocation_count ? HAS_ALLOCATIONS : 0;
    memcpy(start, &mask, sizeof(mask));
    if (detail->output_count)
        at = put(at, detail->output_count);
    for (size_t i = 0; i < detail->output_count; i++) {
        const tfp_exec_output *output = &detail->outputs[i];
        at = put(at, zigzag(output->slot));
        at = put(at, zigzag(output->dtype));
        at = put(at, output->shape);
        at = put(at, zigzag(output->bytes));
        at = put(at, output->address);
    }
    if (detail->allocation_count)
        at = put(at, detail->allocation_count);
    for (size_t i = 0; i < detail->allocation_count; i++) {
        at = put(at, zigzag(detail->allocations[i].at));
        at = put(at, zigzag(detail->allocations[i].bytes));
    }
    step->details.count = (size_t)(at - step->details.data);
    return true;
}

tfp_detail_reader tfp_exec_read(const tfp_step *step, const tfp_exec *exec,
                                tfp_exec_figures *figures)
{
    tfp_detail_reader r = { 0 };
    int64_t values[FIGURES] = { 0 };
    uint16_t mask;
    if (exec->detail > 0) {
        r.at = step->details.data + exec->detail;
        memcpy(&mask, r.at, sizeof(mask));
        r.at += sizeof(mask);
        for (int i = 0; i < FIGURES; i++) {
            if (mask >> i & 1)
                r.at = get_signed(r.at, &values[i]);
        }
        relate(values, true);
        if (mask & HAS_OUTPUTS)
            r.at = get(r.at, &r.outputs_left);
        /* The second count follows the outputs; until then just a mark. */
        r.allocations_left = mask & HAS_ALLOCATIONS ? UINT64_MAX : 0;
    }
    memcpy(figures, values, sizeof(values));
    return r;
}

bool tfp_detail_next_output(tfp_detail_reader *r, tfp_exec_output *output)
{
    int64_t slot, dtype;
    uint64_t shape;
    if (r->outputs_left == 0)
        return false;
    r->outputs_left--;
    r->at = get_signed(r->at, &slot);
    r->at = get_signed(r->at, &dtype);
    r->at = get(r->at, &shape);
    r->at = get_signed(r->at, &output->bytes);
    r->at = get(r->at, &output->address);
    output->slot = (int32_t)slot;
    output->dtype = (int32_t)dtype;
    output->shape = (tfp_shape)shape;
    return true;
}

bool tfp_detail_next_allocation(tfp_detail_reader *r,
                                tfp_exec_allocation *allocation)
{
    tfp_exec_output passed;
    while (tfp_detail_next_output(r, &passed))
        continue;
    if (r->allocations_left == UINT64_MAX)
        r->at = get(r->at, &r->allocations_left);
    if (r->allocations_left == 0)
        return false;
    r->allocations_left--;
    r->at = get_signed(r->at, &allocation->at);
    r->at = get_signed(r->at, &allocation->bytes);
    return true;
}

/* ---- Steps -------------------------------------------------------------- */

static tfp_span bytes_of(const int64_t *id)
{
    return (tfp_span){ (const uint8_t *)id, sizeof(*id) };
}

/* Finds or adds the step with a key in step_ids. */
static uint32_t step_of_key(tfp_model *model, tfp_span key, tfp_step step)
{
    uint32_t item;
    /* Room first: an id without its step would shift all that follow. */
    if (!TFP_VEC_RESERVE(model->memory, &model->steps, 1))
        return TFP_NO_ID;
    item = tfp_intern(&model->step_ids, key);
    if (item == TFP_NO_ID)
        return TFP_NO_ID;
    if (item > model->steps.count)
        model->steps.data[model->steps.count++] = step;
    return item - 1;
}

uint32_t tfp_model_step(tfp_model *model, int64_t id)
{
    return step_of_key(model, bytes_of(&id), (tfp_step){ .id = id });
}

/* The key of the rest is shorter than a number, so no number equals it. */
static tfp_span key_of_rest(void)
{
    return tfp_span_of("rest");
}

uint32_t tfp_model_rest(tfp_model *model)
{
    return step_of_key(model, key_of_rest(), (tfp_step){ .is_rest = true });
}

bool tfp_model_has_step(const tfp_model *model, int64_t id)
{
    return tfp_interner_find(&model->step_ids, bytes_of(&id)) != TFP_NO_ID;
}

const tfp_step *tfp_model_find_step(const tfp_model *model, int64_t id)
{
    uint32_t item = tfp_interner_find(
        &model->step_ids, id == TFP_STEP_REST ? key_of_rest() : bytes_of(&id));
    return item == TFP_NO_ID ? NULL : &model->steps.data[item - 1];
}

static bool has_run(const tfp_step *step)
{
    return !step->is_rest && step->execs.count > 0;
}

size_t tfp_model_count_steps(const tfp_model *model)
{
    size_t count = 0;
    for (size_t i = 0; i < model->steps.count; i++)
        count += has_run(&model->steps.data[i]);
    return count;
}

const tfp_step *tfp_model_first_step(const tfp_model *model)
{
    for (size_t i = 0; i < model->steps.count; i++) {
        if (has_run(&model->steps.data[i]))
            return &model->steps.data[i];
    }
    return NULL;
}

const char *tfp_step_title(int64_t asked, char title[TFP_STEP_TITLE])
{
    if (asked == TFP_STEP_REST)
        return "what ran outside of all steps";
    if (tfp_step_is_average(asked))
        return "average of all steps";
    snprintf(title, TFP_STEP_TITLE, "step %lld", (long long)asked);
    return title;
}

static void note_input(tfp_step *step, uint32_t input)
{
    if (step->first_input == 0)
        step->first_input = input;
    else if (step->next_input == 0 && step->first_input != input)
        step->next_input = input;
}

uint32_t tfp_model_add_device(tfp_model *model, uint32_t step,
                              tfp_exec_kind kind)
{
    tfp_device device = { .step = step, .kind = kind };
    if (model->devices.count >= TFP_NO_ID ||
        !TFP_VEC_PUSH(model->memory, &model->devices, device))
        return TFP_NO_ID;
    model->trace_devices += tfp_exec_is_trace(kind);
    note_input(&model->steps.data[step], (uint32_t)model->inputs.count);
    return (uint32_t)model->devices.count - 1;
}

bool tfp_model_name_device(tfp_model *model, uint32_t device, tfp_string name)
{
    tfp_device *to = &model->devices.data[device];
    tfp_span place, what;
    tfp_device_split(tfp_model_text(model, name), &place, &what);
    to->name = name;
    to->parts.place = tfp_model_string(model, place);
    to->parts.device = tfp_model_string(model, what);
    return to->parts.place != TFP_NO_ID && to->parts.device != TFP_NO_ID;
}

static void widen(tfp_step *step, tfp_micros start, tfp_micros end)
{
    if (start <= 0)
        return;
    if (step->first_start == 0 || start < step->first_start)
        step->first_start = start;
    if (end > step->last_end)
        step->last_end = end;
}

/* Nonsense is kept as it is, since upstream adds it up too, but counted. */
static void note_oddities(tfp_step *step, const tfp_exec *exec,
                          tfp_exec_kind kind, const tfp_exec_detail *detail)
{
    int64_t all = exec->length, end;
    if (kind == TFP_EXEC_RUN && exec->start <= 0) {
        step->untimed_records++;
        return;
    }
    if (detail) {
        const tfp_exec_figures *f = &detail->figures;
        all |= f->requested_bytes | f->peak_bytes | f->residual_bytes |
               f->output_bytes | f->temp_bytes | f->persistent_bytes;
    }
    step->negative_records += all < 0; /* the sign of any one of them */
    step->overflowing_records += exec->length > 0 &&
                                 __builtin_add_overflow(exec->start,
                                                        exec->length, &end);
}

bool tfp_model_add_exec(tfp_model *model, tfp_exec exec,
                        const tfp_exec_detail *detail)
{
    tfp_device *device = &model->devices.data[exec.device];
    tfp_step *step = &model->steps.data[device->step];
    exec.detail = 0;
    if (detail) {
        /* Place 0 means "none", so the first byte is never used. */
        if (step->details.count == 0 &&
            !TFP_VEC_PUSH(model->memory, &step->details, 0))
            return false;
        exec.detail = step->details.count;
        if (!pack(step, model->memory, detail))
            return false;
    }
    if (!TFP_VEC_PUSH(model->memory, &step->execs, exec))
        return false;
    device->execs++;
    if (tfp_exec_is_trace(device->kind)) {
        step->trace_records++;
        step->negative_records += exec.length < 0 ||
                                  (detail && detail->figures.run_count < 0);
    } else if (device->kind == TFP_EXEC_TOTAL) {
        step->negative_records += detail && detail->figures.run_count < 0;
    } else {
        note_oddities(step, &exec, device->kind, detail);
        widen(step, exec.start, tfp_add_sat(exec.start, exec.length));
    }
    return true;
}

bool tfp_model_has_runs(const tfp_model *model)
{
    for (size_t i = 0; i < model->steps.count; i++) {
        if (model->steps.data[i].execs.count > 0)
            return true;
    }
    return false;
}

bool tfp_model_drop_steps(tfp_model *model)
{
    for (size_t i = 0; i < model->steps.count; i++)
        tfp_step_release(&model->steps.data[i], model->memory);
    model->steps.count = 0;
    model->devices.count = 0;
    model->trace_devices = 0;
    model->allocations.count = 0;
    tfp_gathered_clear(&model->gathered);
    return tfp_interner_clear(&model->step_ids);
}

void tfp_step_release(tfp_step *step, tfp_memory *memory)
{
    TFP_VEC_RELEASE(memory, &step->execs);
    TFP_VEC_RELEASE(memory, &step->details);
}
