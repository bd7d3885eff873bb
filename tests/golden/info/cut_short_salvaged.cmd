head -c 200 graph.pb > cut; tfprof info --salvage cut; echo "exit $?"
