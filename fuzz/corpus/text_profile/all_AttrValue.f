nodes: <
  value: <
    attrs: <
      value: <
        f: 0.5
      >
    >,
  >
>,
