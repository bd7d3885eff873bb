tfprof --graph_path=graph.pb
