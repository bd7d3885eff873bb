/*
 * stat_names.h - the stats of a trace that tfprof reads, by name.
 */
#ifndef TFP_TRACE_STAT_NAMES_H
#define TFP_TRACE_STAT_NAMES_H

#include <stdint.h>

#include "base/bytes.h"

/* S(NAME, as the trace writes it) */
#define TFP_STAT_NAMES(S)                                                      \
    /* links between events */                                                 \
    S(PRODUCER_TYPE, "_pt")                                                    \
    S(PRODUCER, "_p")                                                          \
    S(CONSUMER_TYPE, "_ct")                                                    \
    S(CONSUMER, "_c")                                                          \
    S(ROOT, "_r")                                                              \
    S(ASYNC, "_a")                                                             \
    S(PROCESS, "_pid")                                                         \
    S(PROCESS_ID, "process_id")                                                \
    S(CORRELATION, "correlation_id")                                           \
    /* steps */                                                                \
    S(GROUP, "group_id")                                                       \
    S(STEP_NUM, "step_num")                                                    \
    S(ITER_NUM, "iter_num")                                                    \
    S(STEP_NAME, "step_name")                                                  \
    S(ID, "id")                                                                \
    /* operations */                                                           \
    S(TF_OP, "tf_op")                                                          \
    S(LEVEL_0, "level 0")                                                      \
    S(HLO_OP, "hlo_op")                                                        \
    S(HLO_MODULE, "hlo_module")                                                \
    S(PROGRAM, "program_id")                                                   \
    S(RUN, "run_id")                                                           \
    S(MODULE_NAME, "module_name")                                              \
    S(CATEGORY, "hlo_category")                                                \
    S(FLOPS, "flops")                                                          \
    S(SOURCE, "source")                                                        \
    S(SOURCE_STACK, "source_stack")                                            \
    S(DEVICE_ORDINAL, "device_ordinal")                                        \
    S(DEVICE_OFFSET, "device_offset_ps")                                       \
    S(DEVICE_DURATION, "device_duration_ps")                                   \
    S(SYMBOL, "symbol_id")                                                     \
    S(MODEL_FLOPS, "model_flops")                                              \
    S(BYTES_ACCESSED, "bytes_accessed")                                        \
    S(MEMORY_BREAKDOWN, "memory_access_breakdown")                             \
    S(KERNEL_DETAILS, "kernel_details")                                        \
    S(MEMCPY_DETAILS, "memcpy_details")                                        \
    S(STAGE, "_ipl_stage_id")                                                  \
    S(STAGE_CATEGORY, "_ipl_stage_cat")                                        \
    /* allocations */                                                          \
    S(ALLOCATOR, "allocator_name")                                             \
    S(INDEX_ON_HOST, "index_on_host")                                          \
    S(BYTES_RESERVED, "bytes_reserved")                                        \
    S(BYTES_ALLOCATED, "bytes_allocated")                                      \
    S(BYTES_AVAILABLE, "bytes_available")                                      \
    S(FRAGMENTATION, "fragmentation")                                          \
    S(PEAK_BYTES, "peak_bytes_in_use")                                         \
    S(REQUESTED_BYTES, "requested_bytes")                                      \
    S(ALLOCATION_BYTES, "allocation_bytes")                                    \
    S(ADDRESS, "addr")                                                         \
    S(REGION_TYPE, "region_type")                                              \
    S(DATA_TYPE, "data_type")                                                  \
    S(SHAPE, "shape")                                                          \
    /* planes */                                                               \
    S(HLO_PROTO, "Hlo Proto")                                                  \
    S(HLO_PROTO_LIBTPU, "HLO Proto")                                           \
    S(START_TIME, "profile_start_time")                                        \
    S(STOP_TIME, "profile_stop_time")                                          \
    S(JAX_VERSION, "jax_version")                                              \
    S(JAXLIB_VERSION, "jaxlib_version")                                        \
    S(DEVICE_VENDOR, "device_vendor")                                          \
    S(GPU_NAME, "gpu_device_name")                                             \
    S(TPU_NAME, "device_type_string")                                          \
    S(CLOCK_RATE, "clock_rate")                                                \
    S(CORE_COUNT, "core_count")                                                \
    S(MEMORY_BANDWIDTH, "memory_bandwidth")                                    \
    S(MEMORY_SIZE, "memory_size")                                              \
    S(PEAK_TERAFLOPS, "peak_teraflops_per_second")                             \
    S(PEAK_HBM, "peak_hbm_bw_gigabytes_per_second")

#define TFP_STAT_ID(name, text) TFP_KNOWN_##name,
typedef enum tfp_known_stat {
    TFP_STAT_NAMES(TFP_STAT_ID) TFP_KNOWN_STATS
} tfp_known_stat;
#undef TFP_STAT_ID

_Static_assert((int)TFP_KNOWN_STATS <= 64, "a bit for each in 64");

/* TFP_KNOWN_STATS when it is none of these. */
tfp_known_stat tfp_known_stat_of(tfp_span text);

#endif
