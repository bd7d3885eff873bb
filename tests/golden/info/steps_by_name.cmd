tfprof info --run_meta_path 7=run_meta,9=run_meta.gz
