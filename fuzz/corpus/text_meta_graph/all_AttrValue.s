graph_def {
  node {
    attr {
      value {
        s: ""
      }
    };
  };
}
