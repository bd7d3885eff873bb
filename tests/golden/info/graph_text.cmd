tfprof info graph.pbtxt
