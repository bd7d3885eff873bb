tfprof flops graph.pb --shape y=2
