tfprof scope graph.pb -min_bytes 9223372036854775808
