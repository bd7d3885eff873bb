partition_graphs: <
  node: <
    attr: <
      value: <
        f: 0.5
      >
    >,
  >,
>,
