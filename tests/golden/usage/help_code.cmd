tfprof help code
