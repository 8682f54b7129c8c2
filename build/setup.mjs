// Gets a checkout ready to run: installs the packages of package-lock.json, builds the agent and the UI, each only
// when needed. Runs on the Node that npm was started with (20 or newer) before any package is there, so it is plain
// JavaScript without dependencies. It never changes package.json or the lockfile.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildCommand } from './command.mjs';
import { sourceHash } from './hashed-build.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const lockfile = path.join(root, 'package-lock.json');
const installedLockfile = path.join(root, 'node_modules/.package-lock.json');
const installStamp = path.join(root, 'node_modules/.mooring-lock-hash');
const node24 = path.join(
  root,
  process.platform === 'win32' ? 'node_modules/node/bin/node.exe' : 'node_modules/node/bin/node',
);
const rendererOutput = path.join(root, 'dist/renderer');
const rendererStamp = path.join(root, 'dist/renderer.hash');
/** Everything that goes into the UI's bundle. */
const rendererSources = [
  'renderer',
  'sdk',
  'server/contract',
  'build/vite.renderer.ts',
  'build/third-party.ts',
  // The documentation.
  'docs',
  'build/docs-site',
  'build/openapi.json',
  'server/cli/shared/examples.ts',
  'server/http/base/limits.ts',
  'package-lock.json',
];

class SetupError extends Error {}

/** @param {string} cause @param {string} remedy @returns {never} */
function fail(cause, remedy) {
  throw new SetupError(`${cause}\n  ${remedy}`);
}

/** @param {string} text */
function say(text) {
  process.stderr.write(`setup: ${text}\n`);
}

function checkOuterNode() {
  const major = Number(process.versions.node.split('.')[0]);
  if (major < 20) {
    fail(
      `Mooring's set-up needs Node 20 or newer and this is Node ${process.versions.node}.`,
      'Install a current Node and try again; Node 24, on which Mooring itself runs, then comes with its packages.',
    );
  }
}

/** @param {string} data */
function sha256(data) {
  return createHash('sha256').update(data).digest('hex');
}

/** @param {string} file */
function readIfThere(file) {
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;
}

/**
 * Whether node_modules holds what package-lock.json says, going by the record that npm leaves behind when it
 * has finished. So a manual `npm ci` is not repeated, and an interrupted one is.
 * @param {string} lockText
 */
function installedMatches(lockText) {
  const installedText = readIfThere(installedLockfile);
  if (installedText === undefined) return false;
  /** @type {Record<string, {version?: string}>} */
  const installed = JSON.parse(installedText).packages ?? {};
  /** @type {Record<string, {version?: string, optional?: boolean, devOptional?: boolean}>} */
  const wanted = JSON.parse(lockText).packages ?? {};
  return Object.entries(wanted).every(([where, entry]) => {
    if (where === '') return true;
    const present = installed[where];
    if (present === undefined) return entry.optional === true || entry.devOptional === true;
    return present.version === entry.version;
  });
}

function installPackages() {
  const lockText = readFileSync(lockfile, 'utf8');
  const lockHash = sha256(lockText);
  if (existsSync(installedLockfile) && readIfThere(installStamp) === lockHash) return;
  if (!installedMatches(lockText)) {
    say('installing the packages of package-lock.json (npm ci), about half a minute');
    const startedAt = Date.now();
    runNpm(['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error']);
    say(`packages installed in ${seconds(startedAt)} s`);
  }
  writeFileSync(installStamp, `${lockHash}\n`);
}

/** @param {string[]} args */
function runNpm(args) {
  const npmScript = process.env.npm_execpath;
  const viaScript = npmScript !== undefined && /\.c?js$/.test(npmScript);
  const result = viaScript
    ? spawnSync(process.execPath, [npmScript, ...args], { cwd: root, stdio: ['ignore', 2, 2] })
    : spawnSync('npm', args, { cwd: root, stdio: ['ignore', 2, 2], shell: process.platform === 'win32' });
  if (result.error !== undefined) {
    fail(
      `npm could not be started: ${result.error.message}.`,
      'Install npm (it comes with Node) and try again.',
    );
  }
  if (result.status !== 0) {
    fail(
      `"npm ${args[0]}" failed (${result.signal ?? `exit code ${result.status}`}); its messages are above.`,
      'It needs the npm registry once. If it could not be reached, connect (or set a proxy) and try again; ' +
        'if the disk is full or not writable, fix that first.',
    );
  }
}

function checkInnerNode() {
  const version = spawnSync(node24, ['-p', 'process.versions.napi'], { encoding: 'utf8' });
  if (version.status === 0 && Number(version.stdout) >= 10) return;
  fail(
    "Node 24, which comes as the package 'node', is not usable in node_modules.",
    'Its install script was probably disabled (ignore-scripts). Run: npm ci --ignore-scripts=false',
  );
}

function buildRenderer() {
  const builtFrom = sourceHash(rendererSources);
  if (existsSync(path.join(rendererOutput, 'index.html')) && readIfThere(rendererStamp) === builtFrom) return;

  say('building the UI');
  const startedAt = Date.now();
  const vite = path.join(root, 'node_modules/vite/bin/vite.js');
  const args = [vite, 'build', '--config', 'build/vite.renderer.ts', '--logLevel', 'warn'];
  const result = spawnSync(node24, args, { cwd: root, stdio: ['ignore', 2, 2] });
  if (result.status !== 0) {
    fail(
      `The UI's build failed (${result.signal ?? `exit code ${result.status}`}); its messages are above.`,
      'Fix the file that they name; "npm run build" repeats just this step.',
    );
  }
  mkdirSync(path.dirname(rendererStamp), { recursive: true });
  writeFileSync(rendererStamp, `${builtFrom}\n`);
  say(`UI built in ${seconds(startedAt)} s`);
}

function buildAgent() {
  const failure = buildCommand(node24, say);
  if (failure === null) return;
  fail(
    `The agent's build failed (${failure}); its messages are above.`,
    'Fix the file that they name; "npm start" builds it again.',
  );
}

/** @param {number} startedAt */
function seconds(startedAt) {
  return ((Date.now() - startedAt) / 1000).toFixed(1);
}

try {
  checkOuterNode();
  installPackages();
  checkInnerNode();
  buildAgent();
  buildRenderer();
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  say(error.message);
  process.exitCode = 1;
}
