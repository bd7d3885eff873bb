tfprof info --max-depth-nesting 251 graph.pb
