tfprof info graph.pb.gz
