/*
 * machine.h - the machine that recorded a run.
 */
#ifndef TFP_API_MACHINE_H
#define TFP_API_MACHINE_H

#include "base/error.h"
#include "base/memory.h"
#include "budget/baseline.h"
#include "model/model.h"

/* Accelerators and versions are those that the model's inputs name. Inputs do
 * not name the processor, so it is that of the machine that reads them. What
 * is not known stays empty. Fails only when memory runs out. */
int tfp_machine_find(tfp_machine *machine, const tfp_model *model,
                     tfp_memory *memory, tfprof_error *err);

#endif
