: > empty; tfprof info --graph_path empty
