tfprof info --max-memory 120000 graph.pb
