// Workspace paths as the UI needs them. Pure. A path starts with `/` and ends without one; the root is `/`.

export function parentOf(path: string): string {
  const cut = path.lastIndexOf('/');
  return cut <= 0 ? '/' : path.slice(0, cut);
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** `/`, `/a`, `/a/b` for `/a/b`: the folder and all above it, from the root down. */
export function withAncestors(folder: string): string[] {
  if (folder === '/') return ['/'];
  const names = folder.slice(1).split('/');
  return ['/', ...names.map((_, index) => `/${names.slice(0, index + 1).join('/')}`)];
}

/** The same file in a mirror's folder, with the separators that the folder's system uses. */
export function inFolder(dir: string, path: string): string {
  const windows = /^[A-Za-z]:[\\/]|^\\\\/.test(dir);
  const relative = windows ? path.replaceAll('/', '\\') : path;
  return dir.replace(/[\\/]$/, '') + relative;
}

/** Is this what a person means by a whole path on their computer? */
export function isAbsoluteDir(dir: string): boolean {
  return dir.startsWith('/') || /^[A-Za-z]:[\\/]/.test(dir) || dir.startsWith('\\\\');
}

/** The last name of a folder on disk: what a workspace made from it is called unless the person says otherwise. */
export function dirName(dir: string): string {
  return dir.split(/[\\/]/).findLast((part) => part !== '') ?? '';
}
