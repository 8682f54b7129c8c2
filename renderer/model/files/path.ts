// Workspace paths. Pure. A path starts with `/` and does not end with it; the root is `/`.

export function parentOf(path: string): string {
  const cut = path.lastIndexOf('/');
  return cut <= 0 ? '/' : path.slice(0, cut);
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** The folder and its ancestors from the root: `/`, `/a`, `/a/b` for `/a/b`. */
export function withAncestors(folder: string): string[] {
  if (folder === '/') return ['/'];
  const names = folder.slice(1).split('/');
  return ['/', ...names.map((_, index) => `/${names.slice(0, index + 1).join('/')}`)];
}

/** The path of the file in a mirror's folder, with the separators of its system. */
export function inFolder(dir: string, path: string): string {
  const windows = /^[A-Za-z]:[\\/]|^\\\\/.test(dir);
  const relative = windows ? path.replaceAll('/', '\\') : path;
  return dir.replace(/[\\/]$/, '') + relative;
}

/** An absolute path on any system. */
export function isAbsoluteDir(dir: string): boolean {
  return dir.startsWith('/') || /^[A-Za-z]:[\\/]/.test(dir) || dir.startsWith('\\\\');
}

/** The last name of a folder's path, the default name of its workspace. */
export function dirName(dir: string): string {
  return dir.split(/[\\/]/).findLast((part) => part !== '') ?? '';
}

/** What all of them begin with, in the spelling of the first. */
export function commonBegin(texts: readonly string[]): string {
  const [first = '', ...others] = texts;
  let length = first.length;
  for (const other of others) {
    while (other.slice(0, length).toLowerCase() !== first.slice(0, length).toLowerCase()) length -= 1;
  }
  return first.slice(0, length);
}

/** At most `max` characters of a path, with `…` in its middle, so that both ends stay. */
export function shortPath(path: string, max: number): string {
  const characters = [...path];
  if (characters.length <= max) return path;
  const end = Math.ceil((max - 1) / 2);
  return `${characters.slice(0, max - 1 - end).join('')}…${characters.slice(-end).join('')}`;
}
