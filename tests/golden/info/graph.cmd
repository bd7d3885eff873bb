tfprof info graph.pb
