tfprof info -max_depth 3 graph.pb
