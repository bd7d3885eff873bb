tfprof info saved_model.pb
