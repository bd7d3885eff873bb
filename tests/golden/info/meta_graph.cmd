tfprof info model.ckpt.meta
