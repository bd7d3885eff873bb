tfprof info --format csv graph.pb
