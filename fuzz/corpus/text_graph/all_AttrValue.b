node {
  attr {
    value {
      b: false;
    }
  };
};
