/*
 * fold.c - names of operations without the transforms of JAX.
 */
#include "trace/fold.h"

/* Cuts the first part off a name. A slash in parentheses separates nothing. */
static tfp_span cut_part(tfp_span *rest)
{
    size_t size = 0, open = 0;
    tfp_span part;
    for (; size < rest->size; size++) {
        uint8_t c = rest->data[size];
        if (c == '(')
            open++;
        else if (c == ')' && open > 0)
            open--;
        else if (c == '/' && open == 0)
            break;
    }
    part = (tfp_span){ rest->data, size };
    size += size < rest->size; /* the slash */
    rest->data += size;
    rest->size -= size;
    return part;
}

/* Takes "transform(" and ")" off a part. */
static bool unwrap(tfp_span *part, const char *transform)
{
    size_t size = strlen(transform);
    if (!tfp_span_starts(*part, transform) || part->size < size + 2 ||
        part->data[size] != '(' || part->data[part->size - 1] != ')')
        return false;
    part->data += size + 1;
    part->size -= size + 2;
    return true;
}

/* Whether a part had a transform, which it then has no longer. */
static bool fold_part(tfp_span *part, bool *is_backward)
{
    tfp_span inner = *part;
    if (unwrap(&inner, "transpose") && unwrap(&inner, "jvp")) {
        *part = inner;
        *is_backward = true;
        return true;
    }
    return unwrap(part, "jvp");
}

tfp_name_fold tfp_name_fold_begin(tfp_span name)
{
    tfp_name_fold fold = { .rest = name };
    while (name.size > 0) {
        tfp_span part = cut_part(&name);
        if (fold_part(&part, &fold.is_backward)) {
            fold.is_folded = true;
            fold.behind = name.size;
        }
    }
    return fold;
}

bool tfp_name_fold_next(tfp_name_fold *fold, tfp_span *part)
{
    bool is_backward;
    do {
        if (fold->is_folded && !fold->is_marked &&
            fold->rest.size == fold->behind) {
            fold->is_marked = true;
            *part = tfp_span_of(fold->is_backward ? "backward" : "forward");
            return true;
        }
        if (fold->rest.size == 0)
            return false;
        *part = cut_part(&fold->rest);
        (void)fold_part(part, &is_backward);
    } while (part->size == 0);
    return true;
}
