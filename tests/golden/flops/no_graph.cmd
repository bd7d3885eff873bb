tfprof flops run_meta
