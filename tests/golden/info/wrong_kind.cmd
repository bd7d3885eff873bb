tfprof info --run_meta_path graph.pb
