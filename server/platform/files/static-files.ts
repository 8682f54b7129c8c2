// Serves a folder of built files from memory: a request selects a key of a map and never a path on the disk.
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { gzip } from 'node:zlib';

/** Size of all files; a larger folder is rejected. */
const folderBytesMax = 64 * 1024 * 1024;
/** A smaller file is sent in one packet anyway. */
const compressedBytesMin = 1024;

export interface StaticFile {
  readonly bytes: Buffer;
  readonly contentType: string;
  /** Quoted, strong. */
  readonly etag: string;
  /** The name contains a hash of the content, so caches may keep the file forever. */
  readonly immutable: boolean;
  /** Worth compressing: a text that is not small. */
  readonly compressible: boolean;
  /** The bytes as gzip, a third of the size over a network. null: not yet; the first call begins to make them and does not wait. */
  gzipped(): Buffer | null;
}

export interface StaticFiles {
  /** `/assets/app-1a2b3c4d.js`; null when the file does not exist or the folder was not built. */
  get(urlPath: string): Promise<StaticFile | null>;
}

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
};
const textTypes = /^text\/|javascript|json|svg/;

/** Vite names built files `name-<hash of 8>.ext`. Pages have no hash: `wire-contract.html`. */
const hashedName = /-[A-Za-z0-9_-]{8,}\.(?!html$)[a-z0-9]+$/;

/** Reads the folder at the first request, and again while it is empty. `without`: a folder in it that is left out. */
export function createStaticFiles(dir: string, without: string | null = null): StaticFiles {
  let loading: Promise<ReadonlyMap<string, StaticFile>> | null = null;
  return {
    async get(urlPath) {
      loading ??= load(dir, without);
      const files = await loading.catch((error: unknown) => {
        loading = null;
        throw error;
      });
      if (files.size === 0) loading = null;
      return files.get(urlPath) ?? null;
    },
  };
}

async function load(dir: string, without: string | null): Promise<ReadonlyMap<string, StaticFile>> {
  const files = new Map<string, StaticFile>();
  let bytesTotal = 0;
  for (const entry of await entriesOf(dir)) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    if (without !== null && path.relative(dir, file).split(path.sep)[0] === without) continue;
    const bytes = await readFile(file);
    bytesTotal += bytes.length;
    if (bytesTotal > folderBytesMax)
      throw new Error(`the files of ${dir} have more than ${folderBytesMax} bytes`);
    files.set(`/${path.relative(dir, file).split(path.sep).join('/')}`, staticFile(entry.name, bytes));
  }
  return files;
}

function staticFile(name: string, bytes: Buffer): StaticFile {
  const contentType = contentTypes[path.extname(name)] ?? 'application/octet-stream';
  let gzipped: Buffer | null = null;
  let isBegun = false;
  return {
    bytes,
    contentType,
    etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`,
    immutable: hashedName.test(name),
    compressible: bytes.length >= compressedBytesMin && textTypes.test(contentType),
    gzipped: () => {
      if (!isBegun) {
        isBegun = true;
        gzip(bytes, (error, compressed) => {
          // The bytes themselves are always an answer, too.
          gzipped = error === null ? compressed : null;
        });
      }
      return gzipped;
    },
  };
}

async function entriesOf(dir: string) {
  try {
    return await readdir(dir, { recursive: true, withFileTypes: true });
  } catch (error) {
    // The UI was not built.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
