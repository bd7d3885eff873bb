tfprof inof graph.pb
