// Probes how the disk of a root treats names: case folding, Unicode normalization, maximum lengths (docs/sync-rules.md#15).
import type { FileSystem } from '../port/file-system.ts';
import type { NameRules } from '../port/folder.ts';
import { ensurePrivate, removeIfThere } from './root.ts';

/** Creates files in the private directory to find out how the disk compares and lists names. */
export function probeNames(fs: FileSystem, root: string, isWindows: boolean): NameRules {
  const directory = ensurePrivate(fs, root);
  const inCase = probe(fs, directory, 'probe-case', 'PROBE-CASE');
  const inUnicode = probe(fs, directory, 'probe-\u00e9', 'probe-e\u0301');
  return {
    foldsCase: inCase.meet,
    foldsUnicode: inUnicode.meet,
    decomposes: inUnicode.meet && !inUnicode.isShown,
    windows: isWindows,
    pathBytesMax: isWindows ? 32_767 : 4096,
    rootBytes: new TextEncoder().encode(root).length,
  };
}

/** For a root that is missing. */
export function decomposedNamesUnseen(isWindows: boolean): NameRules {
  return {
    foldsCase: false,
    foldsUnicode: false,
    decomposes: false,
    windows: isWindows,
    pathBytesMax: 4096,
    rootBytes: 0,
  };
}

/** `meet`: the other spelling finds the file. `isShown`: the listing has the name as it was created. */
function probe(
  fs: FileSystem,
  directory: string,
  created: string,
  other: string,
): { readonly meet: boolean; readonly isShown: boolean } {
  removeIfThere(fs, `${directory}/${created}`);
  fs.close(fs.openNew(`${directory}/${created}`, 0o600));
  const meet = fs.lstat(`${directory}/${other}`) !== null;
  const isShown = !meet || fs.list(directory).names.includes(created);
  removeIfThere(fs, `${directory}/${created}`);
  return { meet, isShown };
}
