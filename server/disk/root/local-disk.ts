// Whether the system reports every change below a folder: it does on disks of this machine, and not for changes that another machine
// makes on a network file system. Unknown file systems count as remote.
import { statfsSync } from 'node:fs';

/** Magic numbers of statfs(2). */
const localTypes: ReadonlySet<number> = new Set([
  0xef53, // ext2, ext3, ext4
  0x58465342, // XFS
  0x9123683e, // Btrfs
  0x01021994, // tmpfs
  0x858458f6, // ramfs
  0x2fc12fc1, // ZFS
  0xf2f52010, // F2FS
  0xca451a4e, // bcachefs
  0x794c7630, // overlayfs
  0x3153464a, // JFS
  0x52654973, // ReiserFS
  0x3434, // NILFS
  0x4d44, // FAT
  0x2011bab0, // exFAT
  0x7366746e, // NTFS (ntfs3)
]);

/** Where events are known to be complete and in the order of the changes: Linux, on a disk of this machine. */
export function hasOrderedEvents(root: string, platform: string = process.platform): boolean {
  if (platform !== 'linux') return false;
  try {
    // A signed number on some systems.
    return localTypes.has(statfsSync(root).type >>> 0);
  } catch {
    return false;
  }
}
