tfprof flops op_log
