tfprof info --format xml graph.pb
