/*
 * sheets.c - the tables that can be asked for, and what they share.
 */
#include "sheet/sheets.h"

#include <stdio.h>

const tfp_sheet_type tfp_sheet_types[] = {
    { "steps", TFP_GATHER_STEPS, 2, tfp_steps_fill },
    { "kernels", TFP_GATHER_KERNELS, 1, tfp_kernels_fill },
    { "memory", TFP_GATHER_MEMORY, 2, tfp_memory_fill },
    { "devices", TFP_GATHER_STEPS, 1, tfp_devices_fill },
    { NULL, 0, 0, NULL },
};

const tfp_sheet_type *tfp_sheet_type_find(const char *name)
{
    for (const tfp_sheet_type *t = tfp_sheet_types; t->name; t++) {
        if (!strcmp(t->name, name))
            return t;
    }
    return NULL;
}

tfp_span tfp_device_short(tfp_span device)
{
    const uint8_t *at = tfp_span_find(device, "/device:");
    size_t skipped;
    if (!at)
        return device;
    skipped = (size_t)(at - device.data) + strlen("/device:");
    return (tfp_span){ device.data + skipped, device.size - skipped };
}

tfp_span tfp_sheet_device(const tfp_model *model, tfp_string name,
                          tfp_device_parts parts, bool has_hosts)
{
    return has_hosts ? tfp_model_text(model, name)
                     : tfp_device_short(tfp_model_text(model, parts.device));
}

bool tfp_sheet_has_hosts(const tfp_model *model)
{
    const tfp_gathered *g = &model->gathered;
    for (size_t i = 1; i < g->devices.count; i++) {
        if (g->devices.data[0].parts.place != g->devices.data[i].parts.place)
            return true;
    }
    return false;
}

void tfp_sheet_put_place(tfp_sheet *sheet, tfp_span file, int32_t line)
{
    TFP_VEC(uint8_t) text = { 0 };
    char number[16];
    size_t size = (size_t)snprintf(number, sizeof(number), ":%d", (int)line);
    if (!TFP_VEC_RESERVE(sheet->memory, &text, file.size + size)) {
        sheet->failed = true;
        tfp_sheet_put_null(sheet);
        return;
    }
    if (file.size > 0)
        memcpy(text.data, file.data, file.size);
    memcpy(text.data + file.size, number, size);
    tfp_sheet_put_text(sheet, (tfp_span){ text.data, file.size + size });
    TFP_VEC_RELEASE(sheet->memory, &text);
}

int tfp_sheet_status(const tfp_sheet_request *r, const tfp_sheet *sheets,
                     size_t count, tfprof_error *err)
{
    if (r->watch->cancelled)
        return tfp_fail_cancelled(err);
    for (size_t i = 0; i < count; i++) {
        if (sheets[i].failed)
            return tfp_fail_nomem(err);
    }
    return TFPROF_OK;
}
