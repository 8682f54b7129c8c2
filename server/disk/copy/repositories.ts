// Which repositories may be copied: not one whose copy would still work on the files or the repository of the mirrored folder.
import type { FileSystem } from '../port/file-system.ts';
import { readWhole } from '../tree/read-file.ts';

const configBytesMax = 1024 * 1024;
/** `core.worktree` as an absolute path: commands in the copy would change files there. */
const absoluteWorktree = /^\s*worktree\s*=\s*"?(?:\/|[A-Za-z]:|~)/im;
/** Settings that another file adds. */
const included = /^\s*\[include(?:if\s[^\]]*)?\]/im;
const insideGitDirectory = /^gitdir: (?!\/|[A-Za-z]:)(.+)\n?$/;

/** Why a `.git` is not copied; null: it may be. */
export function repositoryRefusal(
  fs: FileSystem,
  root: string,
  path: string,
  kind: 'file' | 'directory' | 'symlink',
): string | null {
  if (kind === 'symlink') return 'the repository is a link: commands in the run would change it';
  if (kind === 'file') return namesOwnRepository(fs, root, path) ? null : 'it names a repository elsewhere';
  const config = textOf(fs, `${root}${path}/config`);
  if (config === null) return 'its config cannot be read';
  if (absoluteWorktree.test(config)) return 'its core.worktree is an absolute path';
  return included.test(config) ? 'its config includes another file' : null;
}

/** A submodule: `gitdir: ../.git/modules/name`, below the root. */
function namesOwnRepository(fs: FileSystem, root: string, path: string): boolean {
  const named = insideGitDirectory.exec(textOf(fs, root + path) ?? '')?.[1];
  if (named === undefined) return false;
  let depth = path.split('/').length - 2;
  for (const name of named.split('/')) {
    if (name === '..') depth -= 1;
    else if (name !== '.' && name !== '') depth += 1;
    if (depth < 0) return false;
  }
  return true;
}

function textOf(fs: FileSystem, file: string): string | null {
  if (fs.lstat(file)?.kind !== 'file') return null;
  const outcome = readWhole(fs, file, configBytesMax);
  return outcome.kind === 'read' ? new TextDecoder().decode(outcome.bytes) : null;
}
