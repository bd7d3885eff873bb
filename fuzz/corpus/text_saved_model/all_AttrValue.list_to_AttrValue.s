meta_graphs {
  graph_def {
    node {
      attr {
        value {
          list {
            s: ""
            s: ""
            i: 300;
            i: 300;
            f: 0.5
            f: 0.5
            b: false;
            b: false;
            type: DT_INT32
            type: DT_INT32
            shape {
            };
            tensor {
            }
            func {
            };
          };
        }
      };
    };
  }
}
meta_graphs {
  graph_def {
    node {
      attr {
        value {
          s: ""
        }
      };
    };
  }
}
