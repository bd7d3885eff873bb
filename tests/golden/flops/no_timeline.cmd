tfprof flops graph.pb -output timeline:outfile=t
