tfprof info --max_input=100 graph.pb
