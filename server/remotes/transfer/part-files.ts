// Parts of large files that arrive from another server, in the data directory: what arrived before the connection or the agent ended is
// not fetched again. What a part holds is only trusted once the hash of the whole is right.
import { type FileHandle, mkdir, open, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { sha256Hex } from '../../platform/crypto/hashes.ts';

export interface PartName {
  readonly remoteId: string;
  readonly path: string;
  /** SHA-256 hex of the whole content. */
  readonly hash: string;
}

/** A part that is being filled. */
export interface OpenPart {
  /** Adds bytes at its end. Rejects with an error of the disk. */
  append(bytes: Uint8Array): Promise<void>;
  close(): Promise<void>;
}

export interface PartFiles {
  /** Bytes that have arrived. */
  length(name: PartName): Promise<number>;
  open(name: PartName): Promise<OpenPart>;
  read(name: PartName): AsyncIterable<Uint8Array>;
  drop(name: PartName): Promise<void>;
  dropAll(remoteId: string): Promise<void>;
}

const directoryMode = 0o700;
const fileMode = 0o600;

export function createPartFiles(dataDir: string): PartFiles {
  const directoryOf = (remoteId: string): string => path.join(dataDir, 'remote-parts', remoteId);
  const fileOf = ({ remoteId, path: file, hash }: PartName): string =>
    path.join(directoryOf(remoteId), sha256Hex(`${hash}\n${file}`));
  return {
    async length(name) {
      const found = await stat(fileOf(name)).catch(ifMissing);
      return found?.size ?? 0;
    },
    async open(name) {
      await mkdir(directoryOf(name.remoteId), { recursive: true, mode: directoryMode });
      const handle = await open(fileOf(name), 'a', fileMode);
      return {
        append: async (bytes) => await handle.appendFile(bytes),
        close: async () => await handle.close(),
      };
    },
    async *read(name) {
      let handle: FileHandle | null = null;
      try {
        handle = await open(fileOf(name), 'r');
        yield* handle.createReadStream({ autoClose: false }) as AsyncIterable<Uint8Array>;
      } finally {
        await handle?.close();
      }
    },
    drop: async (name) => await rm(fileOf(name), { force: true }),
    dropAll: async (remoteId) => await rm(directoryOf(remoteId), { recursive: true, force: true }),
  };
}

function ifMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}
