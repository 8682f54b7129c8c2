// The system calls on a user's folder, as a port: confined-file-system.ts implements it for real, a simulated disk in the
// simulation. Synchronous, because the real caller is a worker thread, where that is many times faster.

export interface FileStat {
  readonly kind: 'file' | 'directory' | 'symlink' | 'other';
  readonly sizeBytes: number;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
  readonly inode: bigint;
  readonly device: bigint;
  /** How many names it has, as far as the disk counts them. */
  readonly links: number;
  /** Permission bits only. */
  readonly mode: number;
}

/**
 * Calls fail by throwing an error whose `code` is the system's (`ENOENT`, `EACCES`, ...), except where said otherwise. ESTALE: the
 * directory of a path was moved or exchanged during the call, and nothing may be concluded from it.
 */
export interface FileSystem {
  /** Names in no order. `unreadableNames`: those whose bytes are not UTF-8, as well as they can be shown. */
  list(directory: string): { readonly names: readonly string[]; readonly unreadableNames: readonly string[] };
  /** Never follows a link. null: nothing is there. */
  lstat(path: string): FileStat | null;
  /**
   * Where it is cheaper than lstat: the same, but the path may lead through a link by then. It proves nothing except that a file
   * whose identity is known is unchanged.
   */
  readonly glance?: (path: string) => FileStat | null;
  /** Fails with ELOOP on a link; never waits for a writer of a pipe. */
  openToRead(path: string): number;
  /** To be asked before what was read from an open file leaves the disk's room: fails with ESTALE unless its directory is in place. */
  verifyPlace(path: string): void;
  /** Creates it; fails with EEXIST if anything is there. */
  openNew(path: string, mode: number): number;
  /** To go on writing at its end, and to read. Fails with ELOOP on a link, with ENOENT if nothing is there. */
  openToExtend(path: string): number;
  fstat(handle: number): FileStat;
  /** Number of bytes read; 0 at the end. */
  read(handle: number, into: Uint8Array, position: number): number;
  /** Writes all bytes, after those that were written before. */
  write(handle: number, bytes: Uint8Array): void;
  setMode(handle: number, mode: number): void;
  /** Sets its times to now. */
  touch(handle: number): void;
  sync(handle: number): void;
  /**
   * Makes many files durable at once, so that the disk can do it in one go: for each, null or the error's code. The only call
   * that others may run beside.
   */
  syncAll(handles: readonly number[]): Promise<readonly (string | null)[]>;
  close(handle: number): void;
  syncDirectory(path: string): void;
  rename(from: string, to: string): void;
  /** A second name for a file; fails with EEXIST if anything is at `to`. */
  link(from: string, to: string): void;
  unlink(path: string): void;
  /** Creates a file with the content and the permissions of an open one; fails with EEXIST. `shared`: fails unless the disk stores the
   * content once for both. */
  copyNew(handle: number, to: string, shared: boolean): void;
  readLink(path: string): string;
  /** Fails with EEXIST. */
  makeLink(path: string, target: string): void;
  /** One level; fails with EEXIST. `mode`: at most these permissions, less what the user's umask takes. */
  makeDirectory(path: string, mode?: number): void;
  /** Fails with ENOTEMPTY unless it is empty. */
  removeDirectory(path: string): void;
  /** Closes the directories that were opened to resolve paths. Called at the end of each request. */
  closeDirectories(): void;
}

/** Time as the disk's room needs it. */
export interface DiskTime {
  /** Milliseconds since 1970, the clock that also stamps files. */
  nowMs(): number;
  monotonicMs(): number;
}

export function errorCode(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code;
  return 'EUNKNOWN';
}
