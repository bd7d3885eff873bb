head -c 500 graph.pbtxt > cut; tfprof info cut; echo "exit $?"
