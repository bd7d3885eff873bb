tfprof --graph_path=-
