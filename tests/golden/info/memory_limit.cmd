tfprof info --max-memory 100000 graph.pb
