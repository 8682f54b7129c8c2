// The server of the MCPB bundle: finds the installed Mooring and becomes its `mooring mcp`, with the settings of the bundle. It has no protocol
// code, no native module and no dependency, and runs on the Node of the host application.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

/** @typedef {{ readonly command: string, readonly before: readonly string[] }} Program */

const isWindows = process.platform === 'win32';
/** Programs started from a desktop do not have the PATH of a shell. */
const usualFolders = isWindows
  ? [path.join(process.env.LOCALAPPDATA ?? '', 'Programs', 'Mooring')]
  : ['/opt/homebrew/bin', '/usr/local/bin', '/usr/bin', path.join(homedir(), '.local', 'bin')];

const program = found();
if (program === null) {
  process.stderr.write(
    'Mooring was not found. Install it, or choose its program in the settings of this extension (dist/mooring.mjs in a checkout).\n',
  );
  process.exit(1);
}
const { command, before } = program;
/** @type {import('node:child_process').ChildProcess} */
const child = spawn(command, [...before, 'mcp', ...settings()], {
  stdio: 'inherit',
  shell: isWindows && /\.cmd$/i.test(command),
});
child.on('error', (error) => {
  process.stderr.write(`Mooring cannot be started: ${error.message}\n`);
  process.exit(1);
});
child.on('exit', (code) => process.exit(code ?? 1));
process.on('SIGTERM', () => child.kill('SIGTERM'));
process.on('SIGINT', () => child.kill('SIGINT'));

/** The chosen program, the installed one, or the checkout that built the bundle. @returns {Program | null} */
function found() {
  const chosen = settingOf('MOORING_BUNDLE_PROGRAM');
  if (chosen !== '') return existsSync(chosen) ? words(chosen, process.execPath) : null;
  const names = isWindows ? ['mooring.exe', 'mooring.cmd'] : ['mooring'];
  const folders = (process.env.PATH ?? '').split(path.delimiter).concat(usualFolders);
  for (const folder of folders.filter((one) => path.isAbsolute(one))) {
    const name = names.find((one) => existsSync(path.join(folder, one)));
    if (name !== undefined) return { command: path.join(folder, name), before: [] };
  }
  return checkout();
}

/** @returns {Program | null} */
function checkout() {
  const file = new URL('checkout.json', import.meta.url);
  if (!existsSync(file)) return null;
  const { node, script } = JSON.parse(readFileSync(file, 'utf8'));
  return existsSync(node) && existsSync(script) ? words(script, node) : null;
}

/** @param {string} file @param {string} node @returns {Program} */
function words(file, node) {
  if (!/\.m?js$/.test(file)) return { command: file, before: [] };
  // The agent runs on the Node of its own packages where they are there.
  const own = path.resolve(path.dirname(file), '../node_modules/node/bin', isWindows ? 'node.exe' : 'node');
  return { command: existsSync(own) ? own : node, before: [file] };
}

/** The options of `mooring mcp`. */
function settings() {
  const workspace = settingOf('MOORING_BUNDLE_WORKSPACE');
  const within = settingOf('MOORING_BUNDLE_PATH');
  return [
    ...(workspace === '' ? [] : ['--workspace', workspace]),
    ...(within === '' ? [] : ['--path', within]),
    ...(settingOf('MOORING_BUNDLE_READ_ONLY') === 'true' ? ['--read-only'] : []),
  ];
}

/** Hosts leave the placeholder of an empty setting in place. @param {string} name */
function settingOf(name) {
  const value = (process.env[name] ?? '').trim();
  return value.startsWith('${') ? '' : value;
}
