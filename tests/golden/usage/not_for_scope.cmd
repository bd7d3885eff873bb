tfprof scope -checkers all graph.pb
