tfprof flops functions.pb --list nodes
