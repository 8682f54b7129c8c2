// Detects that a folder is inside the folder of another sync program, or contains one, by marker files and by known locations. Pure:
// cloud-facts.ts reads the disk.
import path from 'node:path';

export const cloudServices = [
  'OneDrive',
  'iCloud Drive',
  'Dropbox',
  'Google Drive',
  'Syncthing',
  'Nextcloud',
] as const;
export type CloudService = (typeof cloudServices)[number];

export interface CloudRoot {
  readonly service: CloudService;
  readonly path: string;
}

export interface CloudFolder extends CloudRoot {
  /** `inside`: the checked folder is this one or below it. `contains`: this one is below it. */
  readonly relation: 'inside' | 'contains';
}

export interface NamedEntry {
  readonly name: string;
  readonly isDirectory: boolean;
}

interface Marker {
  readonly service: CloudService;
  readonly name: RegExp;
  /** Absent: of either kind. */
  readonly isDirectory?: boolean;
}

/** Entries in the root of a program's folder. `~/.dropbox` is a directory with settings; the marker is a file. */
const markers: readonly Marker[] = [
  { service: 'OneDrive', name: /^\.849c9593-d756-4e56-8d6e-42412f2a707b$/i },
  { service: 'Dropbox', name: /^\.dropbox$/, isDirectory: false },
  { service: 'Dropbox', name: /^\.dropbox\.cache$/, isDirectory: true },
  { service: 'Google Drive', name: /^\.tmp\.drive(?:upload|download)$/, isDirectory: true },
  { service: 'Syncthing', name: /^\.stfolder$/ },
  { service: 'Syncthing', name: /^\.stignore$/, isDirectory: false },
  { service: 'Nextcloud', name: /^\._?sync_[0-9a-z]+\.db$/i, isDirectory: false },
  { service: 'Nextcloud', name: /^\.(?:owncloud|nextcloud)sync\.log$/, isDirectory: false },
];

/** The program whose folder has such an entry; null: none. */
export function serviceOf(entries: readonly NamedEntry[]): CloudService | null {
  for (const { service, name, isDirectory } of markers) {
    const found = entries.some(
      (entry) => name.test(entry.name) && (isDirectory ?? entry.isDirectory) === entry.isDirectory,
    );
    if (found) return service;
  }
  return null;
}

/** Facts about a machine and a folder. Paths are resolved: links are followed. */
export interface CloudFacts {
  readonly platform: NodeJS.Platform;
  /** Folders of sync programs, from their settings, the environment and their default locations. */
  readonly roots: readonly CloudRoot[];
  /** Folders with a marker: the folder itself, above it and below it. */
  readonly marked: readonly CloudRoot[];
}

/** The nearest folder around it, else one in it. null: none. */
export function findCloudFolder(dir: string, facts: CloudFacts): CloudFolder | null {
  const known = [...facts.marked, ...facts.roots];
  const around = known
    .filter((root) => isWithin(dir, root.path, facts.platform))
    .sort((left, right) => right.path.length - left.path.length)[0];
  if (around !== undefined) return { ...around, relation: 'inside' };
  const below = known.find((root) => isWithin(root.path, dir, facts.platform));
  return below === undefined ? null : { ...below, relation: 'contains' };
}

/** For people: why two sync programs on one folder are a risk, and what to do; not how to continue anyway. */
export function cloudFolderText(dir: string, { service, path: root, relation }: CloudFolder): string {
  const verb = relation === 'inside' ? 'is inside' : 'contains';
  const remedy =
    relation === 'inside'
      ? 'Choose a folder outside it'
      : `Choose another folder, or add it to .mooringignore`;
  return (
    `${dir} ${verb} the ${service} folder ${root}. Two sync programs would change the same files: each treats the writes of the other as ` +
    'edits, creates conflict copies of them and propagates its errors; a file that is only in the cloud can look empty or deleted. ' +
    `${remedy}, or exclude it in ${service}.`
  );
}

function isWithin(inner: string, outer: string, platform: NodeJS.Platform): boolean {
  const { relative, isAbsolute, sep } = platform === 'win32' ? path.win32 : path.posix;
  // These systems ignore case.
  const fold = (text: string) => (platform === 'win32' || platform === 'darwin' ? text.toLowerCase() : text);
  const below = relative(fold(outer), fold(inner));
  return below === '' || (below !== '..' && !below.startsWith(`..${sep}`) && !isAbsolute(below));
}
