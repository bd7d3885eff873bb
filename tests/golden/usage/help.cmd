tfprof help
