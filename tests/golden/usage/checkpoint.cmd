tfprof scope --graph_path=graph.pb --checkpoint_path=model.ckpt
