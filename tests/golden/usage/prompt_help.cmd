printf 'help\nhelp write\nhelp -step\nset -select params,bytes -max_depth 3\n\n' | tfprof graph.pb
