// Composes names for disks that decompose them (HFS+, and shares of such disks). Such a disk lists accents as separate characters
// and finds files by either form; workspaces use composed names, so listed names are composed and no move is seen
// (docs/sync-rules.md#15).
import type { FileSystem } from '../port/file-system.ts';

export function composed(name: string): string {
  return name.normalize('NFC');
}

/** The same disk, listing the names as they were given. */
export function withComposedNames(fs: FileSystem): FileSystem {
  return {
    ...fs,
    list(directory) {
      const { names, unreadableNames } = fs.list(directory);
      return { names: names.map(composed), unreadableNames };
    },
  };
}
