tfprof info --run_meta_path run_meta,
