/*
 * role.h - what a user says a file is, by the option that gives it.
 */
#ifndef TFP_INPUT_ROLE_H
#define TFP_INPUT_ROLE_H

typedef enum tfp_role {
    TFP_ROLE_ANY, /* the bytes tell */
    TFP_ROLE_GRAPH,
    TFP_ROLE_RUN_META,
    TFP_ROLE_OP_LOG,
    TFP_ROLE_CHECKPOINT,
    TFP_ROLE_PROFILE,
    TFP_ROLE_COUNT
} tfp_role;

/* The option of a role, without "--"; NULL for TFP_ROLE_ANY. */
extern const char *const tfp_role_options[TFP_ROLE_COUNT];

/* The role of an option; TFP_ROLE_ANY for NULL and for one that gives no
 * files. */
tfp_role tfp_role_of_option(const char *option);

#endif
