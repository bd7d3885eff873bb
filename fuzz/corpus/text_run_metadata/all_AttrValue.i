partition_graphs {
  node {
    attr {
      value {
        i: 300;
      }
    };
  };
};
