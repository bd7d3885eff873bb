tfprof flops saved_model.pb --signature serving
