partition_graphs {
  node {
    experimental_type {
      type_id: TFT_PRODUCT;
      args {
        type_id: TFT_PRODUCT;
        args {
        }
        s: "^c";
      }
      i: 7
    };
  };
};
