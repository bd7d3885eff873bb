tfprof advise graph.pb run_meta op_log --format json
