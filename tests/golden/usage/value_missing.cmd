tfprof info graph.pb --format
