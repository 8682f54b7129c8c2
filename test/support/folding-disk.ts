// The real disk as one that folds names, as those of macOS and Windows do: two spellings of a name are one name, and a listing
// shows the spelling that it was made with.
import path from 'node:path';
import type { FileSystem } from '../../server/disk/port/file-system.ts';
import { nodeFileSystem } from '../../server/disk/port/node-file-system.ts';
import { diskError } from './engine-folder.ts';

const real = nodeFileSystem;

function key(name: string): string {
  return name.normalize('NFC').toUpperCase().toLowerCase();
}

/** `root` and what is above it are spelled as they are. `decomposes`: it shows every name with its accents apart. */
export function foldingFileSystem(root: string, { decomposes = false } = {}): FileSystem {
  const spelled = (asked: string): string => {
    if (!asked.startsWith(`${root}/`)) return asked;
    let at = root;
    for (const segment of asked.slice(root.length + 1).split('/')) at = path.join(at, nameIn(at, segment));
    return at;
  };
  const nameIn = (directory: string, asked: string): string => {
    if (real.lstat(directory)?.kind !== 'directory') return asked;
    return real.list(directory).names.find((name) => key(name) === key(asked)) ?? asked;
  };
  const newName = (asked: string): string =>
    asked === root ? asked : path.join(spelled(path.dirname(asked)), path.basename(asked));
  const refuseTaken = (asked: string) => {
    if (real.lstat(spelled(asked)) !== null) throw diskError('EEXIST');
  };
  return {
    ...real,
    list(directory) {
      const { names, unreadableNames } = real.list(spelled(directory));
      return { names: decomposes ? names.map((name) => name.normalize('NFD')) : names, unreadableNames };
    },
    lstat: (file) => real.lstat(spelled(file)),
    openToRead: (file) => real.openToRead(spelled(file)),
    openToExtend: (file) => real.openToExtend(spelled(file)),
    openNew: (file, mode) => {
      refuseTaken(file);
      return real.openNew(newName(file), mode);
    },
    link: (from, to) => {
      refuseTaken(to);
      real.link(spelled(from), newName(to));
    },
    rename: (from, to) => {
      const [was, stands] = [spelled(from), spelled(to)];
      // Whatever has the name keeps its spelling, but for the thing itself.
      real.rename(was, was === stands ? newName(to) : stands);
    },
    unlink: (file) => real.unlink(spelled(file)),
    makeDirectory: (directory) => {
      refuseTaken(directory);
      real.makeDirectory(newName(directory));
    },
    removeDirectory: (directory) => real.removeDirectory(spelled(directory)),
    syncDirectory: (directory) => real.syncDirectory(spelled(directory)),
  };
}
