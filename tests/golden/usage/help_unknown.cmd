tfprof help everything
