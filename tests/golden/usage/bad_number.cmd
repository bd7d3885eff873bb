tfprof info --max-memory 1e9 graph.pb
