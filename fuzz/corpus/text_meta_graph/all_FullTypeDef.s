graph_def {
  node {
    experimental_type {
      type_id: TFT_PRODUCT;
      args {
        type_id: TFT_PRODUCT;
        args {
        }
        s: "^c";
      }
      s: "^c";
    };
  };
}
