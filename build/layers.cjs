// The import rule of ARCHITECTURE.md as data: what each folder may import. What a row does not name is
// forbidden. An npm package stands in exactly one row (test/architecture.test.ts checks that too).
// A new package: add it to its row. A new folder: add a row.

/**
 * @typedef {object} Row
 * @property {string} name
 * @property {string} from   the row's files, a regular expression over paths from the root
 * @property {string} [adds] the name of a wider row that these files are in too: they may import what it may
 * @property {string[]} [local]      files that it may import, regular expressions
 * @property {string[]} [localTypes] files of which it may import types only
 * @property {string[]} [npm]        packages; `@scope/*` stands for a whole scope
 * @property {string[] | 'any'} [node] Node's modules, without `node:`
 * @property {string[] | 'any'} [nodeTypes] Node's modules of which it may import types only
 */

const contract = '^server/contract/';
/** Without schemas, and so without their builder: what threads beside the main one may load. */
const words = '^server/contract/words\\.ts$';
const core = '^server/core/';
const platform = '^server/platform/';
const compute = '^server/compute/';
/** What the agent's process is started with: plain data, for whoever starts one. */
const engineFlags = '^server/platform/engine-flags\\.ts$';
const store = '^server/store/';
const disk = '^server/disk/';
const workspaces = '^server/workspaces/';
const events = '^server/events/';
const mirror = '^server/mirror/';
const ingest = '^server/ingest/';
const writeback = '^server/writeback/';
const providers = '^server/providers/';
const operations = '^server/operations/';
const webhooks = '^server/webhooks/';
const auth = '^server/auth/';
const http = '^server/http/';
const sdk = '^sdk/';
const services = [workspaces, events, mirror, ingest, writeback, providers, operations, webhooks, auth];

/** What every service may import. */
const beneath = [contract, core, platform, compute, store];

/** @type {Row[]} */
const rows = [
  { name: 'contract', from: contract, local: [contract], npm: ['typebox'] },
  { name: 'core', from: core, local: [core], localTypes: [contract], npm: ['diff'] },
  {
    name: 'platform',
    from: platform,
    local: [platform, contract],
    npm: ['pino', 'prom-client'],
    node: 'any',
  },
  {
    name: 'compute',
    from: compute,
    local: [compute, words, core, platform],
    localTypes: [contract],
    node: ['worker_threads'],
  },
  {
    name: 'store',
    from: store,
    local: [store, words, core, platform],
    localTypes: [contract],
    npm: ['better-sqlite3'],
    node: ['fs', 'fs/promises', 'path', 'worker_threads'],
  },
  {
    name: 'disk',
    from: disk,
    local: [disk, words, core, platform],
    localTypes: [contract],
    npm: ['chokidar', 'ignore'],
    node: ['fs', 'fs/promises', 'net', 'path', 'worker_threads'],
  },
  {
    name: 'workspaces',
    from: workspaces,
    local: [workspaces, ...beneath, events],
    npm: ['tar-stream', 'mime-types'],
    node: ['buffer', 'util', 'zlib'],
  },
  { name: 'events', from: events, local: [events, ...beneath] },
  { name: 'mirror', from: mirror, local: [mirror, ...beneath, disk, workspaces] },
  { name: 'ingest', from: ingest, local: [ingest, ...beneath, workspaces, providers], node: ['net'] },
  { name: 'writeback', from: writeback, local: [writeback, ...beneath, providers] },
  {
    name: 'providers',
    from: providers,
    local: [providers, ...beneath],
    // The only room that calls out: addresses are checked where the connection is made.
    node: ['crypto', 'dns', 'http', 'https', 'net'],
  },
  { name: 'operations', from: operations, local: [operations, ...beneath, workspaces, providers] },
  { name: 'webhooks', from: webhooks, local: [webhooks, ...beneath, events, providers] },
  { name: 'auth', from: auth, local: [auth, ...beneath], npm: ['jose'], node: ['crypto'] },
  {
    name: 'http',
    from: http,
    local: [http, contract, platform, compute, ...services],
    npm: ['fastify', '@fastify/*', 'ws'],
    nodeTypes: 'any',
  },
  {
    name: 'agent',
    from: '^server/agent(\\.ts$|/)',
    local: ['^server/'],
    node: ['fs', 'os', 'path'],
  },
  {
    name: 'cli',
    from: '^server/cli(\\.ts$|/)',
    local: ['^server/cli(\\.ts$|/)', sdk, platform],
    localTypes: [contract],
    npm: ['commander', 'string-width'],
    // A command is a process: it opens files that the user names, and a browser.
    node: 'any',
  },
  {
    // The commands that are the agent, or need its routes, instead of talking to a running one.
    name: 'cli-agent',
    adds: 'cli',
    from: '^server/cli/(run-agent|openapi|doctor|backup)\\.ts$',
    local: ['^server/agent\\.ts$'],
  },
  { name: 'utility', from: '^server/utility\\.ts$', local: ['^server/agent\\.ts$', platform] },
  { name: 'sdk', from: sdk, local: [sdk], localTypes: [contract] },
  {
    name: 'electron',
    from: '^electron/',
    local: ['^electron/', engineFlags],
    localTypes: [contract],
    npm: ['electron', 'electron-updater'],
    // Its own settings, the sealed key, crash reports, and where a file of a mirror lies. Never a file's content.
    node: ['crypto', 'fs', 'fs/promises', 'os', 'path'],
  },
  {
    name: 'renderer',
    from: '^renderer/',
    local: ['^renderer/', sdk],
    localTypes: [contract, '^electron/ipc-contract\\.ts$'],
    npm: [
      'react',
      'react-dom',
      '@base-ui/react',
      '@tanstack/react-query',
      '@tanstack/react-virtual',
      'wouter',
      'uplot',
      'lucide-react',
      '@fontsource-variable/*',
    ],
  },
];

module.exports = { rows };
