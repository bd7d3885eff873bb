tfprof scope graph.pb -output file:outfile=a,outfile=b
