partition_graphs: [{
  node: [{
    attr: [{
      value {
        s: ""
      }
    }]
  }]
}]
