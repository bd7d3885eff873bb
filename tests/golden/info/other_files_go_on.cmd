tfprof info no_such_file graph.pb; echo "exit $?"
