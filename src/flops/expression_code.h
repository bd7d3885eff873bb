/*
 * expression_code.h - what an expression is compiled to.
 *
 * Postfix code for a stack of values: each instruction takes its operands off
 * the stack and puts one value on it. The compiler sees to it that operands
 * are there and that the stack is large enough, so evaluation need not look.
 */
#ifndef TFP_FLOPS_EXPRESSION_CODE_H
#define TFP_FLOPS_EXPRESSION_CODE_H

#include "flops/expression.h"

typedef enum tfp_code {
    TFP_CODE_NUMBER,   /* a = the number */
    TFP_CODE_ELEMENTS, /* of tensor `side`, a */
    TFP_CODE_RANK,     /* of it */
    TFP_CODE_DIM,      /* of it; axis */
    TFP_CODE_PROD,     /* of its dims; from, to */
    TFP_CODE_ATTR,     /* whose name is `size` bytes of the text at a */
    TFP_CODE_ITEM,     /* of it; place in the list */
    TFP_CODE_OR_ELSE,  /* attribute, what if it is absent */
    TFP_CODE_NEGATE,
    TFP_CODE_ADD,
    TFP_CODE_SUB,
    TFP_CODE_MUL,
    TFP_CODE_DIV,
    TFP_CODE_MOD,
    TFP_CODE_EQ,
    TFP_CODE_NE,
    TFP_CODE_LT,
    TFP_CODE_LE,
    TFP_CODE_GT,
    TFP_CODE_GE,
    TFP_CODE_MIN,
    TFP_CODE_MAX,
    TFP_CODE_CEIL_DIV,
    TFP_CODE_LOG2_CEIL,
    TFP_CODE_CHOOSE, /* condition, then, else */
    TFP_CODE_COUNT
} tfp_code;

struct tfp_instruction {
    uint8_t code;  /* tfp_code */
    uint8_t side;  /* tfp_side */
    uint16_t size; /* of a name */
    int64_t a;
};

/* How many operands an instruction takes, by tfp_code. */
extern const uint8_t tfp_code_operands[TFP_CODE_COUNT];

#endif
