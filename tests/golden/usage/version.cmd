tfprof --version | head -n 1
