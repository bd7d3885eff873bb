tfprof help scope
