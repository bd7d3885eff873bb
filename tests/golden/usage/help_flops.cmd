tfprof help flops
