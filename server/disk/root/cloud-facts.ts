// Finds the folders of other sync programs on this machine: from their settings, the environment, default locations, and marker
// files. Reads only; unreadable sources are skipped.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { isBuiltInIgnored } from '../names/ignore.ts';
import {
  type CloudFacts,
  type CloudRoot,
  type CloudService,
  type NamedEntry,
  serviceOf,
} from './cloud-folders.ts';
import { realNameOf } from './root.ts';

/** A folder with more directories, or deeper ones, is looked through no further: a sync folder is near the top. */
const directoriesMax = 2000;
const depthMax = 4;
/** A settings file of a sync program is small. */
const settingsBytesMax = 1024 * 1024;

/** The machine, as far as it matters; a test has its own. */
export interface CloudMachine {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** What is known of a folder, which need not be there yet. `dir` is its real name. */
export async function cloudFactsOf(dir: string, machine: CloudMachine): Promise<CloudFacts> {
  return {
    platform: machine.platform,
    roots: cloudRoots(machine),
    marked: [...(await markedAbove(dir)), ...(await markedBelow(dir))],
  };
}

/** Only those that are there. */
export function cloudRoots(machine: CloudMachine): readonly CloudRoot[] {
  const named = [
    ...fromEnvironment(machine),
    ...fromDropbox(machine),
    ...fromNextcloud(machine),
    ...fromSyncthing(machine),
    ...usualPlaces(machine),
  ];
  const roots = new Map<string, CloudRoot>();
  for (const { service, path: given } of named) {
    const real = path.isAbsolute(given) && existsSync(given) ? realNameOf(given) : null;
    // A home or a disk is no sync folder, whatever a template of settings says.
    if (real === null || real === machine.home || path.dirname(real) === real) continue;
    if (!roots.has(real)) roots.set(real, { service, path: real });
  }
  return [...roots.values()];
}

function fromEnvironment({ env }: CloudMachine): readonly CloudRoot[] {
  return ['OneDrive', 'OneDriveConsumer', 'OneDriveCommercial'].flatMap((name) => {
    const value = env[name];
    return value === undefined || value === '' ? [] : [{ service: 'OneDrive', path: value }];
  });
}

/** `info.json`: an object for each account, with its path. */
function fromDropbox({ home, env }: CloudMachine): readonly CloudRoot[] {
  const files = [path.join(home, '.dropbox', 'info.json'), ...inAppData(env, 'Dropbox', 'info.json')];
  return files.flatMap((file) => {
    const accounts = parsed(readSettings(file));
    return Object.values(accounts).flatMap((account): readonly CloudRoot[] => {
      const folder = (account as { path?: unknown } | null)?.path;
      return typeof folder === 'string' ? [{ service: 'Dropbox', path: folder }] : [];
    });
  });
}

/** `nextcloud.cfg`: a line `0\Folders\1\localPath=/home/you/Nextcloud/` for each folder. */
function fromNextcloud({ home, env }: CloudMachine): readonly CloudRoot[] {
  const files = [
    path.join(home, '.config', 'Nextcloud', 'nextcloud.cfg'),
    path.join(home, 'Library', 'Preferences', 'Nextcloud', 'nextcloud.cfg'),
    ...inAppData(env, 'Nextcloud', 'nextcloud.cfg'),
  ];
  return files.flatMap((file) =>
    [...readSettings(file).matchAll(/\\localPath=(.+)$/gm)].map(([, folder = '']) => ({
      service: 'Nextcloud',
      path: path.normalize(folder.trim()),
    })),
  );
}

/** `config.xml`: `<folder id="..." path="...">`; the one in `<defaults>` is a template. */
function fromSyncthing({ home, env }: CloudMachine): readonly CloudRoot[] {
  const files = [
    path.join(home, '.local', 'state', 'syncthing', 'config.xml'),
    path.join(home, '.config', 'syncthing', 'config.xml'),
    path.join(home, 'Library', 'Application Support', 'Syncthing', 'config.xml'),
    ...inAppData(env, 'Syncthing', 'config.xml'),
  ];
  return files.flatMap((file) => {
    const [settings = ''] = readSettings(file).split('<defaults>');
    return [...settings.matchAll(/<folder\s[^>]*\bpath="([^"]+)"/g)].map(([, folder = '']) => ({
      service: 'Syncthing',
      path: folder.replace(/^~(?=[\\/]|$)/, home).replaceAll('&amp;', '&'),
    }));
  });
}

function inAppData(env: CloudMachine['env'], ...names: readonly string[]): readonly string[] {
  return [env.APPDATA, env.LOCALAPPDATA].flatMap((folder) =>
    folder === undefined || folder === '' ? [] : [path.join(folder, ...names)],
  );
}

const homeNames: readonly { readonly service: CloudService; readonly name: RegExp }[] = [
  { service: 'OneDrive', name: /^OneDrive(?: - .+)?$/ },
  { service: 'iCloud Drive', name: /^iCloud ?Drive$/ },
  { service: 'Dropbox', name: /^Dropbox(?: \(.+\))?$/ },
  { service: 'Google Drive', name: /^(?:Google ?Drive|My Drive)$/ },
  { service: 'Nextcloud', name: /^Nextcloud$/ },
];

/** File providers of macOS name their folder after the program and the account: `GoogleDrive-me@example.com`. */
const providerNames: readonly { readonly service: CloudService; readonly name: RegExp }[] = [
  { service: 'OneDrive', name: /^OneDrive/ },
  { service: 'Dropbox', name: /^Dropbox/ },
  { service: 'Google Drive', name: /^GoogleDrive/ },
  { service: 'iCloud Drive', name: /^iCloud/ },
  { service: 'Nextcloud', name: /^Nextcloud/ },
];

function usualPlaces({ platform, home }: CloudMachine): readonly CloudRoot[] {
  const inHome = namedIn(home, homeNames);
  if (platform !== 'darwin') return inHome;
  const library = path.join(home, 'Library');
  return [
    ...inHome,
    { service: 'iCloud Drive', path: path.join(library, 'Mobile Documents') },
    ...namedIn(path.join(library, 'CloudStorage'), providerNames),
  ];
}

function namedIn(directory: string, names: typeof homeNames): readonly CloudRoot[] {
  return entriesOf(directory).flatMap((entry) => {
    const found = entry.isDirectory ? names.find(({ name }) => name.test(entry.name)) : undefined;
    return found === undefined ? [] : [{ service: found.service, path: path.join(directory, entry.name) }];
  });
}

async function markedAbove(dir: string): Promise<readonly CloudRoot[]> {
  const marked: CloudRoot[] = [];
  for (let at = dir; ; at = path.dirname(at)) {
    const service = serviceOf(await entriesIn(at));
    if (service !== null) marked.push({ service, path: at });
    if (path.dirname(at) === at) return marked;
  }
}

async function markedBelow(dir: string): Promise<readonly CloudRoot[]> {
  const waiting = [{ at: dir, depth: 0 }];
  for (let looked = 0; looked < directoriesMax; looked += 1) {
    const next = waiting.shift();
    if (next === undefined) return [];
    const entries = await entriesIn(next.at);
    const service = next.depth > 0 ? serviceOf(entries) : null;
    // The first is enough to ask.
    if (service !== null) return [{ service, path: next.at }];
    if (next.depth === depthMax) continue;
    for (const { name, isDirectory } of entries)
      if (isDirectory && !isBuiltInIgnored(name))
        waiting.push({ at: path.join(next.at, name), depth: next.depth + 1 });
  }
  return [];
}

async function entriesIn(directory: string): Promise<readonly NamedEntry[]> {
  try {
    const entries = await readdir(directory, { withFileTypes: true });
    return entries.map((entry) => ({ name: entry.name, isDirectory: entry.isDirectory() }));
  } catch {
    // Not there yet, or out of reach: nothing is known of it.
    return [];
  }
}

function entriesOf(directory: string): readonly NamedEntry[] {
  try {
    const entries = readdirSync(directory, { withFileTypes: true });
    return entries.map((entry) => ({ name: entry.name, isDirectory: entry.isDirectory() }));
  } catch {
    // Most machines lack most of these.
    return [];
  }
}

/** Empty: there is none, or it cannot be read. */
function readSettings(file: string): string {
  try {
    return statSync(file).size > settingsBytesMax ? '' : readFileSync(file, 'utf8');
  } catch {
    // Most machines lack most of these.
    return '';
  }
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    // Not there, or not as it was: then its folder is found by its marker.
    return {};
  }
}
