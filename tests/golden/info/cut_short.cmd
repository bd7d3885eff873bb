head -c 200 graph.pb > cut; tfprof info cut; echo "exit $?"
