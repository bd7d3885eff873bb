nodes: [{
  value {
    attrs: [{
      value {
        s: ""
      }
    }]
  }
}]
