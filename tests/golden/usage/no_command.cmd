tfprof graph.pb run_meta
