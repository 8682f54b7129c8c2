// The app as `npm run package` makes it for Linux, with a stub in the place of the Electron runtime: what is in it, how
// large it is, how its fuses stand, and that the agent out of it works. The window needs a runtime to be shown.
import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { extractAll, listPackage } from '@electron/asar';
import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { MooringClient } from '../../sdk/index.ts';
import { makeTempFolder, removeFolder, tempFolder } from '../support/temp-folder.ts';
import { waitFor } from '../support/wait-for.ts';
import { writeStubRuntime } from './stub-runtime.ts';

const root = path.resolve(import.meta.dirname, '../..');
const forge = path.join(root, 'node_modules/@electron-forge/cli/dist/electron-forge.js');
const packagingMsMax = 300_000;
/** What the app adds to its runtime, unpacked: bundles, UI, database; 1 MB is MCP, 2.5 MB are 200 pages of documentation, 0.5 MB the hub with its users. Over it, look at what came in. */
const archiveBytesMax = 12_500_000;
const nativeBytesMax = 4_000_000;

const work = makeTempFolder('mooring-package');
const resources = path.join(work, 'out/Mooring-linux-x64/resources');
const archive = path.join(resources, 'app.asar');

beforeAll(async () => {
  const { version } = JSON.parse(
    readFileSync(path.join(root, 'node_modules/electron/package.json'), 'utf8'),
  ) as { readonly version: string };
  writeStubRuntime(work, version);
  await promisify(execFile)(process.execPath, [forge, 'package', '--platform', 'linux', '--arch', 'x64'], {
    cwd: root,
    env: { ...process.env, ELECTRON_ZIP_FOLDER: work, PACKAGE_FOLDER: path.join(work, 'out') },
    timeout: packagingMsMax,
  });
}, packagingMsMax);

afterAll(() => removeFolder(work));

describe('the package', () => {
  it('holds the bundles, the UI, the icons, the database and nothing else', () => {
    // Names of built files carry a hash; the agent's shared parts, the later parts of the UI, pages of a kind and the
    // database's own modules are one entry each.
    const files = listPackage(archive, { isPack: false })
      .map((name) => name.replaceAll('\\', '/'))
      .map((name) => name.replace(/(\/docs\/(?:api|guides|reference))\/[\w-]+\.html$/, '$1/PAGE.html'))
      .map((name) => name.replace(/-[\w-]{8}(\.\w+)$/, '-HASH$1'))
      .map((name) => name.replace(/^(\/\.vite\/build\/)[\w-]+-HASH(\.mjs)$/, '$1part-HASH$2'))
      .map((name) => name.replace(/^(.*\/assets\/)(?!index-)[\w-]+-HASH(\.js)$/, '$1part-HASH$2'))
      .map((name) => name.replace(/^(\/node_modules\/better-sqlite3\/lib)\/.*/, '$1'))
      .filter((name) => /\.\w+$|LICENSE|\/lib$/.test(name) && !/^\/\.vite$/.test(name));
    expect([...new Set(files)].sort()).toMatchInlineSnapshot(`
      [
        "/.vite/build/agent.mjs",
        "/.vite/build/compare-thread.mjs",
        "/.vite/build/copy-thread.mjs",
        "/.vite/build/hub-writer-thread.mjs",
        "/.vite/build/icons/app-256.png",
        "/.vite/build/icons/tray-halted-light.png",
        "/.vite/build/icons/tray-halted-light@2x.png",
        "/.vite/build/icons/tray-haltedTemplate.png",
        "/.vite/build/icons/tray-haltedTemplate@2x.png",
        "/.vite/build/icons/tray-needs-you-light.png",
        "/.vite/build/icons/tray-needs-you-light@2x.png",
        "/.vite/build/icons/tray-needs-youTemplate.png",
        "/.vite/build/icons/tray-needs-youTemplate@2x.png",
        "/.vite/build/icons/tray-offline-light.png",
        "/.vite/build/icons/tray-offline-light@2x.png",
        "/.vite/build/icons/tray-offlineTemplate.png",
        "/.vite/build/icons/tray-offlineTemplate@2x.png",
        "/.vite/build/icons/tray-paused-light.png",
        "/.vite/build/icons/tray-paused-light@2x.png",
        "/.vite/build/icons/tray-pausedTemplate.png",
        "/.vite/build/icons/tray-pausedTemplate@2x.png",
        "/.vite/build/icons/tray-syncing-light.png",
        "/.vite/build/icons/tray-syncing-light@2x.png",
        "/.vite/build/icons/tray-syncingTemplate.png",
        "/.vite/build/icons/tray-syncingTemplate@2x.png",
        "/.vite/build/icons/tray-up-to-date-light.png",
        "/.vite/build/icons/tray-up-to-date-light@2x.png",
        "/.vite/build/icons/tray-up-to-dateTemplate.png",
        "/.vite/build/icons/tray-up-to-dateTemplate@2x.png",
        "/.vite/build/job-thread.mjs",
        "/.vite/build/link-thread.mjs",
        "/.vite/build/main.cjs",
        "/.vite/build/part-HASH.mjs",
        "/.vite/build/pool-thread.mjs",
        "/.vite/build/preload.cjs",
        "/.vite/build/read-thread.mjs",
        "/.vite/build/search-thread.mjs",
        "/.vite/build/worker.mjs",
        "/.vite/build/writer-thread.mjs",
        "/.vite/dist/renderer/THIRD_PARTY_LICENSES.txt",
        "/.vite/dist/renderer/assets/index-HASH.css",
        "/.vite/dist/renderer/assets/index-HASH.js",
        "/.vite/dist/renderer/assets/inter-latin-wght-normal-HASH.woff2",
        "/.vite/dist/renderer/assets/jetbrains-mono-latin-wght-normal-HASH.woff2",
        "/.vite/dist/renderer/assets/part-HASH.js",
        "/.vite/dist/renderer/docs/api/PAGE.html",
        "/.vite/dist/renderer/docs/guides/PAGE.html",
        "/.vite/dist/renderer/docs/index.html",
        "/.vite/dist/renderer/docs/minisearch-HASH.js",
        "/.vite/dist/renderer/docs/reference/PAGE.html",
        "/.vite/dist/renderer/docs/search.json",
        "/.vite/dist/renderer/docs/site-HASH.css",
        "/.vite/dist/renderer/docs/site-HASH.js",
        "/.vite/dist/renderer/icon.svg",
        "/.vite/dist/renderer/index.html",
        "/.vite/dist/renderer/theme.js",
        "/node_modules/better-sqlite3/LICENSE",
        "/node_modules/better-sqlite3/lib",
        "/node_modules/better-sqlite3/package.json",
        "/node_modules/better-sqlite3/prebuilds/linux-x64.node",
        "/package.json",
      ]
    `);
  });

  it('has one native file, that of its platform, beside the archive', () => {
    const native = readdirSync(`${archive}.unpacked`, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(`${archive}.unpacked`, path.join(entry.parentPath, entry.name)));
    expect(native).toEqual([path.join('node_modules/better-sqlite3/prebuilds/linux-x64.node')]);
  });

  it('keeps its size budget', () => {
    const [file = ''] = readdirSync(`${archive}.unpacked/node_modules/better-sqlite3/prebuilds`);
    const native = statSync(`${archive}.unpacked/node_modules/better-sqlite3/prebuilds/${file}`).size;
    expect(statSync(archive).size).toBeLessThan(archiveBytesMax);
    expect(native).toBeLessThan(nativeBytesMax);
  });

  it('tells the updater where to keep things, and no feed', () => {
    const text = readFileSync(path.join(resources, 'app-update.yml'), 'utf8');
    expect(text).toContain('updaterCacheDirName: mooring-updater');
    expect(text).not.toMatch(/^\s*url:/m);
  });

  it('has every fuse set as it should be', async () => {
    const wire = await getCurrentFuseWire(path.join(resources, '../mooring'));
    const on = (fuse: FuseV1Options) => wire[fuse] === FuseState.ENABLE;
    expect({
      runAsNode: on(FuseV1Options.RunAsNode),
      cookieEncryption: on(FuseV1Options.EnableCookieEncryption),
      nodeOptions: on(FuseV1Options.EnableNodeOptionsEnvironmentVariable),
      inspect: on(FuseV1Options.EnableNodeCliInspectArguments),
      asarIntegrity: on(FuseV1Options.EnableEmbeddedAsarIntegrityValidation),
      onlyAsar: on(FuseV1Options.OnlyLoadAppFromAsar),
      snapshot: on(FuseV1Options.LoadBrowserProcessSpecificV8Snapshot),
      fileRights: on(FuseV1Options.GrantFileProtocolExtraPrivileges),
      wasmTraps: on(FuseV1Options.WasmTrapHandlers),
    }).toEqual({
      runAsNode: false,
      cookieEncryption: true,
      nodeOptions: false,
      inspect: false,
      asarIntegrity: true,
      onlyAsar: true,
      snapshot: false,
      fileRights: false,
      wasmTraps: true,
    });
  });
});

describe('the agent out of the package', () => {
  it('serves API and UI, mirrors a folder both ways, and stops', async () => {
    // Node cannot look into an archive as Electron can; taken out of it, everything lies as it does inside.
    const app = path.join(work, 'taken-out');
    extractAll(archive, app);
    const shim = path.join(work, 'parent-port.mjs');
    writeFileSync(
      shim,
      `process.parentPort = {
        on: (_event, listener) => process.on('message', (data) => listener({ data })),
        postMessage: (message) => process.send(message),
      };`,
    );
    const child = fork(path.join(app, '.vite/build/agent.mjs'), [], {
      cwd: work,
      execArgv: ['--import', shim],
      env: {
        ...process.env,
        MOORING_DATA_DIR: path.join(tempFolder('mooring-data'), 'data'),
        MOORING_LISTEN: '127.0.0.1:0',
        MOORING_LOG_LEVEL: 'warn',
      },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const exited = once(child, 'exit');
    child.send({ command: 'start', masterKey: Buffer.alloc(32, 1).toString('base64') });
    const [message] = (await once(child, 'message')) as [{ event: string; url: string; ownerToken: string }];
    expect(message.event).toBe('ready');

    const page = await fetch(`${message.url}/`);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<div id="root">')]);

    const client = new MooringClient({ baseUrl: message.url, token: message.ownerToken });
    const dir = tempFolder('mooring-mirrored');
    mkdirSync(path.join(dir, 'docs'));
    writeFileSync(path.join(dir, 'docs/local.md'), 'from the folder\n');
    const { workspaceId } = await client.workspaces.create({ name: 'packaged' });
    await client.mirrors.add(workspaceId, dir);
    await client.writeFile(workspaceId, '/remote.md', 'from the API\n', { ifMatch: '0' });
    await waitFor(
      'both files on both sides',
      async () => {
        const local = await client.readFile(workspaceId, '/docs/local.md');
        return local.content === 'from the folder\n' && existsSync(path.join(dir, 'remote.md'));
      },
      { deadlineMs: 60_000 },
    );
    expect(readFileSync(path.join(dir, 'remote.md'), 'utf8')).toBe('from the API\n');

    child.send({ command: 'stop' });
    expect(await exited).toEqual([0, null]);
  });
});
