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
    /* If "_grad/" precedes "gradients/", the name extends to the end. */
    if (after > start)
        forward->size = (size_t)(after - start);
    return true;
}

tfp_forward_names tfp_forward_names_of(tfp_span name)
{
    /* A lookup takes time in proportion to the name, so few are tried. */
    enum { MOST_NAMES = 8 };
    static const char tape[] = "gradient_tape/";
    const uint8_t *at = tfp_span_find(name, tape);
    tfp_forward_names names = { .left = 0 };
    if (at && (at == name.data || at[-1] == '/')) {
        at += strlen(tape);
        names.rest = (tfp_span){ at, (size_t)(name.data + name.size - at) };
        names.left = MOST_NAMES;
    } else if (tfp_is_gradient(name, &names.rest)) {
        names.is_exact = true;
        names.left = 1;
    }
    return names;
}

bool tfp_forward_names_next(tfp_forward_names *names, tfp_span *forward)
{
    tfp_span *rest = &names->rest;
    if (names->left <= 0)
        return false;
    names->left--;
    if (!names->is_exact) {
        while (rest->size > 0 && rest->data[rest->size - 1] != '/')
            rest->size--;
        if (rest->size < 2)
            return false;
        rest->size--;
    }
    *forward = *rest;
    return true;
}

uint32_t tfp_census_forward(const tfp_census *census, tfp_span name)
{
    const tfp_model *model = census->model;
    tfp_string id = tfp_model_named(model, name);
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
    tfp_forward_names names = tfp_forward_names_of(name);
    tfp_span forward;
    while (!names.is_exact && tfp_forward_names_next(&names, &forward)) {
        uint32_t member = tfp_census_forward(census, forward);
        if (member != TFP_NO_ID)
            return member;
    }
    return TFP_NO_ID;
}
