tfprof info --fromat json graph.pb
