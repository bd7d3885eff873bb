tfprof info odd.pb
