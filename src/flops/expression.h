/*
 * expression.h - a small language for counts: "2 * #y0 * x1[0]".
 *
 * A text is compiled once and evaluated for each node it speaks of. There are
 * whole numbers of 64 bits that stop at the ends of their range, no loops, no
 * names to set and nothing that could fail while it is evaluated: what cannot
 * be computed is not known, and what is made of it is not known either.
 * docs/float-operations.md explains the language to users. The grammar:
 *
 *     expression = comparison [ "?" expression ":" expression ]
 *     comparison = sum [ ( "==" | "!=" | "<" | "<=" | ">" | ">=" ) sum ]
 *     sum     = product { ( "+" | "-" ) product }
 *     product = signed { ( "*" | "/" | "%" ) signed }
 *     signed  = { "-" } value
 *     value   = digits | "(" expression ")"
 *             | "#" tensor | tensor "[" expression "]"
 *             | "@" attribute | "attr" "(" attribute [ "," expression ] ")"
 *             | "rank" "(" tensor ")"
 *             | "prod" "(" tensor "," expression [ "," expression ] ")"
 *             | ( "min" | "max" )
 *               "(" expression "," expression { "," expression } ")"
 *             | "ceil_div" "(" expression "," expression ")"
 *             | "log2_ceil" "(" expression ")"
 *     tensor    = ( "x" | "y" ) digits
 *     attribute = name [ "[" expression "]" ]
 *
 * This file knows nothing of nodes: who evaluates brings a world that answers.
 */
#ifndef TFP_FLOPS_EXPRESSION_H
#define TFP_FLOPS_EXPRESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/error.h"
#include "base/memory.h"

enum {
    TFP_EXPRESSION_MOST_BYTES = 4 << 10, /* of text */
    TFP_EXPRESSION_MOST_NESTING = 64,    /* of parentheses, brackets, "?:" */
    TFP_EXPRESSION_MOST_VALUES = 256,    /* that wait for an operator */
    TFP_EXPRESSION_MOST_TENSOR = 65535   /* the k in "xk" and "yk" */
};

typedef enum tfp_side {
    TFP_SIDE_INPUT, /* x */
    TFP_SIDE_OUTPUT /* y */
} tfp_side;

typedef enum tfp_knowledge {
    TFP_NOT_KNOWN,
    TFP_KNOWN,
    TFP_ABSENT /* of an attribute: there is none of that name */
} tfp_knowledge;

/* What an expression may ask about the node it is evaluated for. Nothing of
 * it may fail; *answer counts only when it is known. */
typedef struct tfp_expression_world {
    void *context;

    /* The number of dimensions of input or output `index`. */
    bool (*rank)(void *context, tfp_side side, uint32_t index, int64_t *answer);

    /* The size of one, `axis` being at least 0 and less than the rank. */
    bool (*dim)(void *context, tfp_side side, uint32_t index, int64_t axis,
                int64_t *answer);

    /* An attribute that is a number, or item `*item` of one that is a list,
     * from the end when negative; `item` is NULL for the attribute itself. A
     * float is cut to a whole number, a bool is 0 or 1, a dtype its number. */
    tfp_knowledge (*attr)(void *context, tfp_span name, const int64_t *item,
                          int64_t *answer);
} tfp_expression_world;

typedef struct tfp_instruction tfp_instruction;

/* Initialize with all zero bytes. */
typedef struct tfp_expression {
    TFP_VEC(tfp_instruction) code; /* operands first */
    TFP_VEC(uint8_t) text;         /* a copy, for the names in it */
} tfp_expression;

/* The message of a failure says where in the text it is and what was expected
 * there. After a failure only releasing is allowed. */
int tfp_expression_compile(tfp_expression *expression, tfp_memory *memory,
                           tfp_span text, tfprof_error *err);

/* False when the result is not known. Cannot fail. */
bool tfp_expression_evaluate(const tfp_expression *expression,
                             const tfp_expression_world *world,
                             int64_t *result);

void tfp_expression_release(tfp_expression *expression, tfp_memory *memory);

#endif
