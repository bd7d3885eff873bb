graph_def {
  node: [{
    attr: [{
      value {
        b: false
      }
    }]
  }]
}
