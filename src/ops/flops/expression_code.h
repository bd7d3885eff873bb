/*
 * expression_code.h - what an expression is compiled to.
 *
 * Postfix code for a stack of values: each instruction takes its operands off
 * the stack and puts one value on it. The compiler sees to it that operands
 * are there and that the stack is large enough, so evaluation need not look.
 */
#ifndef TFP_OPS_EXPRESSION_CODE_H
#define TFP_OPS_EXPRESSION_CODE_H

#include "ops/flops/expression.h"

typedef enum tfp_code {
    TFP_CODE_NUMBER,   /* a = the number */
    TFP_CODE_TEXT,     /* `size` bytes of the text at a */
    TFP_CODE_INPUTS,   /* how many there are */
    TFP_CODE_CONTROLS, /* how many control inputs there are */
    TFP_CODE_MACS,     /* what the formula of that name gave */
    TFP_CODE_FREE,
    TFP_CODE_ELEMENTS, /* of tensor `side`, a */
    TFP_CODE_RANK,     /* of it */
    TFP_CODE_DIM,      /* of it; axis */
    TFP_CODE_PROD,     /* of its dims; from, to */
    TFP_CODE_DIM_AT,   /* the same with constants: axis `from` */
    TFP_CODE_PROD_AT,  /* `from` up to `to` */
    /* Of items: the attribute whose name is `size` bytes of the text at a; or,
     * if `size` is 0, the elements of input a. */
    TFP_CODE_ITEM_ONLY,  /* that is not a list, or the only element */
    TFP_CODE_ITEM,       /* place in the list */
    TFP_CODE_ITEM_COUNT, /* their number */
    TFP_CODE_ITEM_PROD,  /* their product */
    TFP_CODE_NO_AXES,    /* drops them as axes of tensor `side`, `tensor` */
    TFP_CODE_OR_ELSE,    /* attribute, what if it is absent */
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
    TFP_CODE_MUL_LOG2,
    TFP_CODE_LOG2_CEIL,
    TFP_CODE_FIRST_KNOWN,
    TFP_CODE_CHOOSE, /* condition, then, else */
    TFP_CODE_COUNT
} tfp_code;

struct tfp_instruction {
    uint8_t code;  /* tfp_code */
    uint8_t side;  /* tfp_side */
    uint16_t size; /* of a name */
    uint16_t tensor;
    int8_t from, to; /* axes */
    int64_t a;
};

/* How many operands an instruction takes, by tfp_code. */
extern const uint8_t tfp_code_operands[TFP_CODE_COUNT];

#endif
