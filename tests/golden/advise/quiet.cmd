tfprof advise graph.pb -q
