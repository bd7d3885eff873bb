tfprof info run_meta
