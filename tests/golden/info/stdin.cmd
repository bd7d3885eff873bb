cat graph.pb | tfprof info -
