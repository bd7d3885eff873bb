meta_graphs: <
  graph_def: <
    node: <
      attr: <
        value: <
          i: 300,
        >
      >,
    >,
  >
>
meta_graphs: <
  graph_def: <
    node: <
      attr: <
        value: <
          f: 0.5
        >
      >,
    >,
  >
>
