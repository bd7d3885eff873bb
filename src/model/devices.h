/*
 * devices.h - the name of a device in two parts: where it is, and what it is.
 *
 * "/job:worker/replica:0/task:3/device:GPU:0/stream:all" is the stream "all" of
 * the device "/device:GPU:0" in the place "/job:worker/replica:0/task:3". The
 * name of a device in a trace is "/host:NAME/device:GPU:0". The full name is
 * for display. Each worker has another place, so a key that must be the same
 * for all workers has the device only.
 */
#ifndef TFP_MODEL_DEVICES_H
#define TFP_MODEL_DEVICES_H

#include "base/bytes.h"
#include "model/ids.h"

typedef struct tfp_device_parts {
    tfp_string place;  /* host, or job, replica and task; may be empty */
    tfp_string device; /* kind and number */
} tfp_device_parts;

/* Splits the name of a device. The place consists of the components "/job:...",
 * "/replica:..." and "/task:..." at its beginning, or of "/host:..." if
 * anything follows: "/host:CPU" is a device. If the next component does not
 * have the form of a device, the device is all the rest. */
void tfp_device_split(tfp_span name, tfp_span *place, tfp_span *device);

#endif
