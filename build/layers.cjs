// The import rule of ARCHITECTURE.md as data: what each folder may import. What a row does not name is
// forbidden. An npm package belongs to exactly one folder (test/architecture.test.ts checks that too).
// A new package: add it to its row. A new folder: add a row.

/**
 * @typedef {object} Row
 * @property {string} name
 * @property {string} from   the row's files, a regular expression over paths from the root
 * @property {string} [adds] the name of a wider row that these files are in too: they may import what it may
 * @property {string[]} [local]      files that it may import, regular expressions
 * @property {string[]} [localTypes] files of which it may import types only
 * @property {string[]} [npm]        packages; `@scope/*` means a whole scope
 * @property {string[] | 'any'} [node] Node's modules, without `node:`
 * @property {string[] | 'any'} [nodeTypes] Node's modules of which it may import types only
 */

const contract = '^server/contract/';
/** Without schemas, and so without their builder: what threads beside the main one may load. */
const words = '^server/contract/words\\.ts$';
const core = '^server/core/';
/** Numbers of things in sentences: one spelling for the agent, the commands, the UI and the desktop app. */
const amounts = '^server/core/amounts\\.ts$';
/** How a text of thousands of characters is shown: the same in the commands and the UI. */
const shortenedTexts = '^server/core/shortened-texts\\.ts$';
const platform = '^server/platform/';
const compute = '^server/compute/';
/** Flags of the agent's process: plain data, for every program that starts one. */
const engineFlags = '^server/platform/process/engine-flags\\.ts$';
const workspaces = '^server/workspaces/';
const delivery = '^server/delivery/';
const inbound = '^server/inbound/';
const auth = '^server/auth/';
const sdk = '^sdk/';
/** What other folders may import of the store, the mirror and the outbound services. */
const storePort = '^server/store/port/';
const mirrorPort = '^server/mirror/manager/port\\.ts$';
const providers = '^server/outbound/providers/';
const outbound = '^server/outbound/';
const runs = '^server/runs/';
const remotes = '^server/remotes/';
const conflicts = '^server/conflicts/';
const search = '^server/search/';
const mcp = '^server/mcp/';
const users = '^server/users/';

/** What every service may import. */
const beneath = [contract, core, platform, compute, storePort];

/**
 * The rows of a folder whose subfolders import each other in one direction.
 * @param {string} top
 * @param {Record<string, string[]>} subfolders name -> names of the subfolders that it may import, lowest first. A name that ends in
 *   `.ts` is a file, `name/**` a folder with folders of its own.
 * @param {Omit<Row, 'name' | 'from'>} [shared] what each of them may import beside these
 * @param {Record<string, Omit<Row, 'name' | 'from'>>} [more] what one of them may import beside that
 * @returns {Row[]}
 */
function subfoldersOf(top, subfolders, shared = {}, more = {}) {
  /** @param {string} name */
  const pattern = (name) =>
    name.endsWith('.ts') ? `^${top}/${name.replace('.', '\\.')}$` : `^${top}/${name}/`;
  return Object.entries(subfolders).map(([name, below]) => {
    const own = more[name] ?? {};
    return {
      name: `${top.replace('server/', '')}/${name}`,
      from: pattern(name),
      local: [name, ...below].map(pattern).concat(shared.local ?? [], own.local ?? []),
      localTypes: [...(shared.localTypes ?? []), ...(own.localTypes ?? [])],
      npm: [...(shared.npm ?? []), ...(own.npm ?? [])],
      node: own.node ?? shared.node ?? [],
      nodeTypes: own.nodeTypes ?? shared.nodeTypes ?? [],
    };
  });
}

/** @type {Row[]} */
const rows = [
  { name: 'contract', from: contract, local: [contract], npm: ['typebox'] },
  ...subfoldersOf(
    'server/core',
    {
      'entry.ts': [],
      'long-text.ts': [],
      'json.ts': ['long-text.ts'],
      'amounts.ts': [],
      'shortened-texts.ts': ['amounts.ts'],
      paths: ['entry.ts'],
      merge: ['json.ts'],
      access: ['paths', 'entry.ts'],
      change: ['access', 'paths', 'entry.ts'],
      sync: ['paths', 'entry.ts', 'amounts.ts'],
      outbound: ['paths', 'entry.ts'],
      inbound: ['change', 'access', 'paths', 'entry.ts', 'json.ts', 'long-text.ts', 'amounts.ts'],
    },
    { localTypes: [contract] },
    { merge: { npm: ['diff'] } },
  ),
  ...subfoldersOf(
    'server/platform',
    {
      'clock.ts': [],
      'program-files.ts': [],
      'version.ts': ['program-files.ts'],
      'event-loop.ts': [],
      'dual-stack-loopback.ts': [],
      'joined-bytes.ts': ['event-loop.ts'],
      json: ['event-loop.ts'],
      files: [],
      crypto: ['event-loop.ts'],
      observe: ['files'],
      config: ['observe', 'files', 'json'],
      process: ['files', 'clock.ts'],
    },
    { local: [contract], node: 'any' },
    { json: { local: ['^server/core/long-text\\.ts$'] }, observe: { npm: ['pino', 'prom-client'] } },
  ),
  {
    name: 'compute',
    from: compute,
    local: [compute, words, core, platform],
    localTypes: [contract],
    node: ['worker_threads'],
  },
  ...subfoldersOf(
    'server/store',
    {
      port: [],
      database: ['port'],
      contents: ['database', 'port'],
      'tables/workspaces': ['database', 'port'],
      'tables/users': ['database', 'port'],
      'tables/files': ['tables/workspaces', 'contents', 'database', 'port'],
      'tables/feed': ['tables/files', 'tables/workspaces', 'database', 'port'],
      'tables/outbound': ['tables/feed', 'tables/files', 'tables/workspaces', 'database', 'port'],
      'tables/change': [
        'tables/outbound',
        'tables/feed',
        'tables/files',
        'tables/workspaces',
        'contents',
        'database',
        'port',
      ],
      'tables/runs': ['database', 'port'],
      'tables/forks': ['tables/change', 'tables/files', 'tables/workspaces', 'contents', 'database', 'port'],
      'tables/inbound': [
        'tables/change',
        'tables/feed',
        'tables/files',
        'tables/workspaces',
        'database',
        'port',
      ],
      'tables/mirrors': ['database', 'port'],
      'tables/remotes': ['database', 'port'],
      'tables/retention': ['tables/forks', 'tables/inbound', 'contents', 'database', 'port'],
      writer: ['tables', 'contents', 'database', 'port'],
      maintenance: ['tables/retention', 'contents', 'database', 'port'],
      adapters: ['maintenance', 'writer', 'tables', 'contents', 'database', 'port'],
      postgres: ['adapters', 'writer', 'tables', 'contents', 'database', 'port'],
      'reader.ts': ['postgres', 'contents', 'database', 'port'],
      'open.ts': ['adapters', 'maintenance', 'writer', 'tables', 'contents', 'database', 'port'],
    },
    {
      local: [words, core, platform],
      localTypes: [contract],
      node: ['fs', 'fs/promises', 'path', 'worker_threads'],
    },
    {
      database: { npm: ['better-sqlite3'] },
      maintenance: { localTypes: ['^server/store/adapters/'] },
      postgres: { npm: ['pg'] },
    },
  ),
  ...subfoldersOf(
    'server/disk',
    {
      port: [],
      names: ['port'],
      tree: ['port'],
      root: ['tree', 'names', 'port'],
      scan: ['tree', 'names', 'port'],
      write: ['tree', 'names', 'port'],
      watch: ['scan', 'root', 'names', 'port'],
      worker: ['watch', 'write', 'scan', 'root', 'tree', 'names', 'port'],
      copy: ['root', 'tree', 'names', 'port'],
    },
    {
      local: [words, core, platform],
      localTypes: [contract],
      node: ['fs', 'fs/promises', 'net', 'path', 'worker_threads'],
    },
    { names: { npm: ['ignore'] }, watch: { npm: ['chokidar'] } },
  ),
  {
    name: 'workspaces',
    from: workspaces,
    local: [workspaces, ...beneath],
    npm: ['tar-stream', 'mime-types'],
    node: ['buffer', 'stream', 'stream/promises', 'util', 'zlib'],
  },
  ...subfoldersOf(
    'server/mirror',
    {
      guard: [],
      state: [],
      actions: ['guard', 'state'],
      cycle: ['actions', 'guard', 'state'],
      proof: ['cycle', 'state'],
      status: ['proof', 'cycle', 'actions', 'guard', 'state'],
      loop: ['status', 'proof', 'cycle', 'guard', 'state'],
      manager: ['loop', 'status', 'proof', 'cycle', 'actions', 'guard', 'state'],
    },
    {
      local: [
        ...beneath,
        workspaces,
        '^server/disk/port/',
        '^server/disk/root/',
        '^server/disk/names/(ignore|name-rules)\\.ts$',
        '^server/disk/tree/packed-files\\.ts$',
      ],
    },
    {
      manager: {
        local: [
          '^server/disk/worker/worker-folder\\.ts$',
          '^server/disk/copy/(copy-files|copied-files)\\.ts$',
        ],
      },
    },
  ),
  {
    // Its thread reads the store with a connection of its own, and has a database of its own.
    name: 'search',
    from: search,
    local: [
      search,
      words,
      core,
      platform,
      '^server/store/(port|database|contents|tables)/',
      '^server/store/reader\\.ts$',
    ],
    localTypes: [contract],
    npm: ['re2js'],
    node: ['buffer', 'crypto', 'fs', 'path', 'timers/promises', 'worker_threads'],
  },
  {
    name: 'folder-notes',
    from: '^server/folder-notes/',
    local: ['^server/folder-notes/', contract, core, platform, storePort, mirrorPort],
  },
  {
    name: 'runs',
    from: runs,
    local: [runs, ...beneath, workspaces, mirrorPort],
    node: ['fs/promises', 'path'],
  },
  {
    name: 'conflicts',
    from: conflicts,
    // The versions are files of the workspace, or of what a mirror shows of a fork.
    local: [
      conflicts,
      ...beneath,
      workspaces,
      '^server/mirror/actions/transfer\\.ts$',
      '^server/mirror/state/(forked|scoped)-workspace\\.ts$',
    ],
  },
  {
    // Calls other servers through the client SDK, like any client of theirs.
    name: 'remotes',
    from: remotes,
    local: [remotes, ...beneath, workspaces, sdk, '^server/disk/names/ignore\\.ts$'],
    node: ['buffer', 'fs/promises', 'path'],
  },
  {
    name: 'delivery',
    from: delivery,
    local: [delivery, contract, core, platform],
    // The only folder that calls out: addresses are checked where the connection is made.
    node: ['crypto', 'dns', 'http', 'https', 'net', 'fs/promises', 'path', 'stream'],
  },
  ...subfoldersOf(
    'server/outbound',
    { providers: [], operations: ['providers'], webhooks: [] },
    { local: [...beneath, delivery, workspaces] },
  ),
  {
    name: 'inbound',
    from: inbound,
    local: [inbound, ...beneath, workspaces, delivery, providers],
    node: ['crypto', 'net'],
  },
  { name: 'auth', from: auth, local: [auth, ...beneath], npm: ['jose', 'openid-client'], node: ['crypto'] },
  { name: 'users', from: users, local: [users, auth, ...beneath], node: ['crypto'] },
  ...subfoldersOf(
    'server/http',
    {
      base: [],
      plugins: ['base'],
      wire: ['plugins', 'base'],
      request: ['wire', 'plugins', 'base'],
      socket: ['request', 'wire', 'plugins', 'base'],
      routes: ['socket', 'request', 'wire', 'plugins', 'base'],
      'app.ts': ['routes', 'socket', 'request', 'wire', 'plugins', 'base'],
    },
    {
      local: [
        contract,
        platform,
        compute,
        workspaces,
        mirrorPort,
        delivery,
        outbound,
        inbound,
        auth,
        users,
        runs,
        '^server/remotes/port\\.ts$',
        conflicts,
        search,
      ],
      npm: ['fastify', '@fastify/*', 'ws'],
      nodeTypes: 'any',
    },
    { routes: { local: [mcp, sdk], node: ['crypto'], nodeTypes: 'any' } },
  ),
  {
    // Calls the API as any other client: nothing of the services, so that no check can be passed by.
    name: 'mcp',
    from: mcp,
    local: [mcp, sdk, contract, '^server/core/merge/', '^server/platform/version\\.ts$'],
    npm: ['@modelcontextprotocol/server', '@modelcontextprotocol/node'],
    node: ['buffer', 'crypto'],
    nodeTypes: ['http'],
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
    local: ['^server/cli(\\.ts$|/)', sdk, platform, mcp, amounts, shortenedTexts],
    localTypes: [contract],
    npm: ['commander', 'fast-string-width'],
    // A command is a process: it opens files that the user names, and a browser.
    node: 'any',
  },
  {
    // The commands that are the agent, or need its routes, instead of talking to a running one.
    name: 'cli-agent',
    adds: 'cli',
    from: '^server/cli/(shared/(run-agent|agents-of-epochs)|commands/(openapi|doctor|backup|hub)).ts$',
    local: ['^server/agent\\.ts$'],
  },
  { name: 'utility', from: '^server/utility\\.ts$', local: ['^server/agent\\.ts$', platform] },
  { name: 'sdk', from: sdk, local: [sdk], localTypes: [contract] },
  {
    name: 'electron',
    from: '^electron/',
    local: ['^electron/', engineFlags, amounts],
    localTypes: [contract],
    npm: ['electron', 'electron-updater'],
    // Its own settings, the sealed key, crash reports, and where a file of a mirror lies. Never a file's content.
    node: ['crypto', 'fs', 'fs/promises', 'os', 'path'],
  },
  {
    name: 'renderer',
    from: '^renderer/',
    // One merge engine for the agent and the UI; the folder is pure.
    local: ['^renderer/', sdk, '^server/core/merge/', amounts, shortenedTexts],
    localTypes: [contract, '^electron/ipc-contract\\.ts$'],
    npm: [
      'react',
      'react-dom',
      '@base-ui/react',
      '@tanstack/react-query',
      '@tanstack/react-virtual',
      'wouter',
      'uplot',
      'dompurify',
      'highlight.js',
      'micromark',
      'micromark-extension-gfm',
      'papaparse',
      'lucide-react',
      '@fontsource-variable/*',
    ],
  },
];

module.exports = { rows };
