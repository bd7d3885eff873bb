// empty.js - the texts of tabs without data: what is missing, and what to do.
import { make } from './dom.js';

const NEEDS = {
  code: ['Code', 'No input maps nodes to source lines.',
    'Give an op log or a profile with code traces, or a trace recorded with Python tracing.'],
  graph: ['Graph', 'No input has edges between nodes, or the graph has more than 200,000 nodes.',
    'Give a GraphDef or a SavedModel.'],
  memory: ['Memory', 'No input records memory over time.',
    'Give RunMetadata, or a trace with allocations.'],
  steps: ['Steps', 'This input has no times.',
    'Record a trace of some steps (tf.profiler or jax.profiler), or give RunMetadata.'],
  kernels: ['Kernels', 'This input has no kernels.',
    'Record a trace on a machine with a GPU.'],
  devices: ['Devices', 'This input has no times of devices.',
    'Record a trace of some steps (tf.profiler or jax.profiler), or give RunMetadata.'],
};

// Tabs that a report has even if they are empty: [id, title].
export const EXPECTED = Object.entries(NEEDS).map(([id, [title]]) => [id, title]);

function lines(headline, advice) {
  return [make('p', { class: 'headline' }, headline), make('p', { class: 'dim' }, advice)];
}

// `why` is what the program says of this input; it takes the place of the advice.
export function emptyTab(id, why) {
  const [, headline, advice] = NEEDS[id];
  return make('div', { class: 'empty' }, ...lines(headline, why ?? advice));
}

// Tabs that only a machine with an accelerator could fill. If only CPUs ran, they
// would ask for what does not exist.
export function isExpected(id, { devices = [] }) {
  return !(id === 'kernels' || id === 'memory') || !devices.length ||
    devices.some(({ device }) => !/(^|[:/])cpu:\d+$/i.test(device));
}

// The text for a tree whose metric is 0, either in all steps or in this step.
export function noCosts(tree, metric, step) {
  const unit = metric?.unit;
  if (step !== tree.steps[0].id && tree.costs(metric?.id, tree.steps[0].id).total[0] > 0) {
    return lines(`This step has 0 for ${metric.title}.`, 'Choose another step above.');
  }
  if (unit === 'us' || unit === 'ps') {
    return lines('This input has no times.',
      'Record a trace of some steps (tf.profiler or jax.profiler), or give RunMetadata.');
  }
  return lines(`All rows have 0 for ${metric?.title ?? 'this metric'}.`,
    tree.metrics.length > 1 ? 'Choose another metric above.' : 'The table lists the rows.');
}
