tfprof flops attributes.pb
