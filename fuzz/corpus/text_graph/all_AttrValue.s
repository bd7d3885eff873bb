node: <
  attr: <
    value: <
      s: ""
    >
  >,
>,
