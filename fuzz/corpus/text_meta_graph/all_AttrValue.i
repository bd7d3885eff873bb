graph_def: <
  node: <
    attr: <
      value: <
        i: 300,
      >
    >,
  >,
>
