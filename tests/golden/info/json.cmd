tfprof info --format json graph.pb run_meta op_log | grep -v peak_memory_bytes
