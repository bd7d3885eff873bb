tfprof
