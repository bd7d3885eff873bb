tfprof advise --format csv graph.pb
