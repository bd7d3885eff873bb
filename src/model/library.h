/*
 * library.h - which files are libraries, and not a user's own code.
 */
#ifndef TFP_MODEL_LIBRARY_H
#define TFP_MODEL_LIBRARY_H

#include <stdbool.h>

#include "base/bytes.h"

/* Installed packages, the standard library of Python, TensorFlow, and what was
 * never a file. */
bool tfp_is_library(tfp_span file);

#endif
