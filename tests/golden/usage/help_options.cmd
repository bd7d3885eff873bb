tfprof help options
