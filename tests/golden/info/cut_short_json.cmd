head -c 200 graph.pb > cut; tfprof info --format json cut | sed -n "/error/,/}/p"
