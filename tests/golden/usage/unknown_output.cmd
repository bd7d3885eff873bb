tfprof scope graph.pb -output out.txt
