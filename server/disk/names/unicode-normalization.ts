// A disk that takes names apart: whatever a file was called, it is shown with its accents as characters of their own (HFS+, and
// shares of such disks). Asked by either form it answers. Everybody else composes names, and so does a workspace; so what is
// listed is composed again, and nobody sees a renaming that nobody made (sync-engine rule 15).
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
