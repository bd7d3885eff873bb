/*
 * gradients.c - which operation a node is the gradient of.
 */
#include "model/gradients.h"

#include "base/intern.h"

#include "model/model.h"

bool tfp_is_gradient(tfp_span name, tfp_span *forward)
{
    const uint8_t *before = tfp_span_find(name, "gradients/");
    const uint8_t *after = before ? tfp_span_find(name, "_grad/") : NULL;
    const uint8_t *start;
    if (!after)
        return false;
    start = before + strlen("gradients/");
    if (after == start)
        return false;
    *forward = (tfp_span){ start, (size_t)(name.data + name.size - start) };
    /* When they stand the other way round, all the rest is taken. */
    if (after > start)
        forward->size = (size_t)(after - start);
    return true;
}

uint32_t tfp_census_forward(const tfp_census *census, tfp_span name)
{
    const tfp_model *model = census->model;
    tfp_string id = tfp_interner_find(&model->strings, name);
    uint32_t member = id < census->name_count ? census->by_name[id] : TFP_NO_ID;
    tfp_span of_another;
    if (member == TFP_NO_ID ||
        tfp_member_trace(model, &census->members.data[member]) == 0 ||
        tfp_is_gradient(name, &of_another))
        return TFP_NO_ID;
    return member;
}

uint32_t tfp_census_taped(const tfp_census *census, tfp_span name)
{
    static const char scope[] = "gradient_tape/";
    const uint8_t *at = tfp_span_find(name, scope);
    tfp_span forward;
    if (!at || (at != name.data && at[-1] != '/'))
        return TFP_NO_ID;
    at += strlen(scope);
    forward = (tfp_span){ at, (size_t)(name.data + name.size - at) };
    while (forward.size > 0) {
        uint32_t member = tfp_census_forward(census, forward);
        if (member != TFP_NO_ID)
            return member;
        while (forward.size > 0 && forward.data[--forward.size] != '/')
            continue;
    }
    return TFP_NO_ID;
}
