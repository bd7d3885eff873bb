/*
 * expression.h - a small language for counts: "2 * #y0 * x1[0]".
 *
 * Built-in formulas and those of users are written in it. A text is compiled
 * once and evaluated for each node of its type. There are whole numbers, no
 * loops, no names to set and nothing that could fail while it is evaluated:
 * what cannot be computed is not known, and what is computed from it is not
 * known either. docs/float-operations.md explains the language to users. The
 * grammar:
 *
 *     expression = comparison [ "?" expression ":" expression ]
 *     comparison = sum [ ( "==" | "!=" | "<" | "<=" | ">" | ">=" ) sum ]
 *     sum     = product { ( "+" | "-" ) product }
 *     product = signed { ( "*" | "/" | "%" ) signed }
 *     signed  = { "-" } value
 *     value   = digits | "'" text "'" | "(" expression ")"
 *             | "controls" | "free" | "inputs" | "macs"
 *             | "#" tensor | tensor "[" expression "]"
 *             | "@" attribute | "attr" "(" attribute [ "," expression ] ")"
 *             | "rank" "(" tensor ")"
 *             | "prod" "(" tensor "," expression [ "," expression ] ")"
 *             | "prod_except" "(" tensor "," list ")"
 *             | ( "len" | "prod" ) "(" list ")"
 *             | "value" "(" input [ "," expression ] ")"
 *             | ( "first_known" | "max" | "min" )
 *               "(" expression "," expression { "," expression } ")"
 *             | ( "ceil_div" | "mul_log2" )
 *               "(" expression "," expression ")"
 *             | "log2_ceil" "(" expression ")"
 *     list      = "@" name | "value" "(" input ")"
 *     tensor    = input | "y" digits
 *     input     = "x" digits
 *     attribute = name [ "[" expression "]" ]
 *
 * This file does not know nodes: the caller supplies a world that answers.
 */
#ifndef TFP_OPS_EXPRESSION_H
#define TFP_OPS_EXPRESSION_H

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
    TFP_KNOWN_FREE, /* of a formula: the node does no arithmetic */
    TFP_KNOWN_TEXT, /* a string, which can only be compared */
    TFP_ABSENT      /* of an attribute: there is none of that name */
} tfp_knowledge;

typedef enum tfp_items_kind {
    TFP_ITEMS_OTHER, /* not known, or of no use */
    TFP_ITEMS_INT,
    TFP_ITEMS_FLOAT, /* bits of a double */
    TFP_ITEMS_TEXT   /* for the world's text() */
} tfp_items_kind;

/* An attribute, or the elements of an input. */
typedef struct tfp_items {
    const int64_t *at;
    size_t count;
    tfp_items_kind kind;
    bool is_list;
} tfp_items;

/* What an expression may ask about the node it is evaluated for. */
typedef struct tfp_expression_world {
    const void *context;

    /* The dimensions of input or output `index`. *rank is negative when it is
     * not known, and so is a dimension that is not known. */
    const int64_t *(*dims)(const void *context, tfp_side side, uint32_t index,
                           int *rank);

    /* False when there is no such attribute. */
    bool (*attr)(const void *context, tfp_span name, tfp_items *items);

    /* The elements of an input; false unless all are known and integers. */
    bool (*value)(const void *context, uint32_t index, tfp_items *items);

    tfp_span (*text)(const void *context, int64_t item);

    int64_t inputs, controls; /* how many the node has */
    int64_t macs;             /* what the formula of that name gave */
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

/* Known, free or not known. A result that does not fit is clamped. */
tfp_knowledge tfp_expression_evaluate(const tfp_expression *expression,
                                      const tfp_expression_world *world,
                                      int64_t *result);

void tfp_expression_release(tfp_expression *expression, tfp_memory *memory);

#endif
