nodes {
  value {
    attrs {
      value {
        i: 300;
      }
    };
  }
};
