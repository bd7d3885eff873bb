tfprof flops graph.pb --shape x=2x
