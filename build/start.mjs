// `npm start [-- DIR]`: opens the desktop app where an Electron runtime and a display are at hand, and
// otherwise runs the same agent without a window. Which one, and why, is said in one line.
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

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
    const args = [
      'node_modules/vite/bin/vite.js',
      'build',
      '--config',
      `build/vite.${name}.ts`,
      '--logLevel',
      'warn',
    ];
    return spawnSync(process.execPath, args, { cwd: root, stdio: ['ignore', 2, 2] }).status === 0;
  });
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
      : spawn(process.execPath, [path.join(root, 'server/cli.ts'), 'start', ...args], { stdio: 'inherit' });
  // The terminal sends Ctrl-C to both; the child decides how to end and this process reports how it did.
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
    process.on(signal, () => child.kill(signal));
  }
  child.on('error', (error) => {
    process.stderr.write(`Mooring could not be started: ${error.message}\n`);
    process.exitCode = 1;
  });
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? (signal === 'SIGINT' || signal === 'SIGTERM' ? 0 : 1);
  });
}
