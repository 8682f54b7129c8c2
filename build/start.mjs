// `npm start [-- DIR]`: opens the desktop app where an Electron runtime and a display are at hand, and
// otherwise runs the same agent without a window. Which one, and why, is said in one line.
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { commandFile } from './command.mjs';
import { watchNpm } from './npm-ancestors.mjs';

const root = path.resolve(import.meta.dirname, '..');

/** @returns {{ run: string } | { missing: string }} how to start Electron, or what is missing for it */
export function findDesktop(env = process.env, platform = process.platform) {
  if (platform === 'linux' && !env.DISPLAY && !env.WAYLAND_DISPLAY) return { missing: 'there is no display' };
  const packageFolder = path.join(root, 'node_modules/electron');
  const override = env.ELECTRON_OVERRIDE_DIST_PATH;
  const dist = override ?? path.join(packageFolder, 'dist');
  const pathFile = path.join(packageFolder, 'path.txt');
  const executable = existsSync(pathFile) ? readFileSync(pathFile, 'utf8').trim() : executableName(platform);
  const binary = path.join(dist, executable);
  if (!existsSync(binary)) return { missing: 'there is no Electron runtime' };
  return { run: binary };
}

/** @param {NodeJS.Platform} platform */
function executableName(platform) {
  if (platform === 'darwin') return 'Electron.app/Contents/MacOS/Electron';
  return platform === 'win32' ? 'electron.exe' : 'electron';
}

/** Bundles the shell and the agent for it, which takes about a second. @returns {boolean} whether it worked */
export function buildDesktop() {
  // Where the bundled agent looks for the UI.
  cpSync(path.join(root, 'dist/renderer'), path.join(root, '.vite/dist/renderer'), { recursive: true });
  return ['main', 'preload', 'agent'].every((name) => {
    const config = `build/vite.${name}.ts`;
    const args = ['node_modules/vite/bin/vite.js', 'build', '--config', config, '--logLevel', 'warn'];
    return spawnSync(process.execPath, args, { cwd: root, stdio: ['ignore', 2, 2] }).status === 0;
  });
}

/**
 * Its stdin is a pipe that only this process holds open: however this process ends, also by SIGKILL, the agent notices it.
 * @param {string[]} args
 */
function spawnAgent(args) {
  const child = spawn(process.execPath, [commandFile, 'start', ...args], {
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  // It may end first.
  child.stdin.on('error', () => undefined);
  return child;
}

if (import.meta.main) {
  const args = process.argv.slice(2);
  let desktop = findDesktop();
  if ('run' in desktop && !buildDesktop()) desktop = { missing: 'it could not be bundled' };
  if ('missing' in desktop) {
    process.stderr.write(`Starting the agent without the desktop app: ${desktop.missing}.\n`);
  }
  const child =
    'run' in desktop
      ? spawn(desktop.run, [root, ...args], { stdio: 'inherit' })
      : spawnAgent([...args, '--end-with-stdin']);
  /** @param {NodeJS.Signals} signal */
  const end = (signal) => {
    // Its pipe, as a signal could be the second of its kind: a terminal sends Ctrl-C to every process.
    if (child.stdin === null) child.kill(signal);
    else child.stdin.destroy();
  };
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
    process.once(signal, () => {
      end(signal);
      // Of a second one the agent hears as such; on a terminal it has heard of it already.
      process.on(signal, () => child.kill(signal));
    });
  }
  const unwatch = watchNpm(() => end('SIGTERM'));
  child.on('error', (error) => {
    process.stderr.write(`Mooring could not be started: ${error.message}\n`);
    process.exitCode = 1;
  });
  child.on('exit', (code, signal) => {
    unwatch();
    process.exitCode = code ?? (signal === 'SIGINT' || signal === 'SIGTERM' ? 0 : 1);
  });
}
