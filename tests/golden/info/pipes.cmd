tfprof info <(cat graph.pb) <(cat run_meta) | sed "s,/dev/fd/[0-9]*,PIPE,"
