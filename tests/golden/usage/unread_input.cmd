tfprof scope graph.pb gone
