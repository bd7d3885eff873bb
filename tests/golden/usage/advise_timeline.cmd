tfprof advise graph.pb run_meta -output timeline:outfile=t.json
