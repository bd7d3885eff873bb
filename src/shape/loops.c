/*
 * loops.c - loops by function: While.
 */
#include "shape/walk.h"

void tfp_walk_loop(tfp_shapes *s, uint32_t instance, tfp_site *site)
{
    (void)s;
    (void)instance;
    (void)site;
}
