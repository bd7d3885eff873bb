printf '%s\n' 'set -max_depth 2' scope 'scope -max_depth x' 'scop' 'op -select params -order_by params' | tfprof graph.pb
