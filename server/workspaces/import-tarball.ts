// Imports a gzipped source tarball: reads it completely within limits, then writes it as one change. An archive that is invalid or
// too large writes nothing; links, devices and invalid paths are refused per entry.
import { createGunzip } from 'node:zlib';
import { extract, type Header } from 'tar-stream';
import { isAclPath } from '../core/access/acl.ts';
import type { FileChange, Refusal } from '../core/change/change.ts';
import type { AccessSubject, Actor } from '../core/entry.ts';
import { parseWritePath } from '../core/paths/path.ts';
import { decodeText } from './content-encoding.ts';
import { contentTypeOf } from './content-type.ts';
import type { WorkspaceService } from './service.ts';

const mebibyte = 1024 * 1024;
export interface TarballLimits {
  /** Per file, and of the unpacked archive. */
  readonly fileBytesMax: number;
  readonly unpackedBytesMax: number;
  readonly entriesMax: number;
  /** Of all imported files together. */
  readonly importedBytesMax: number;
}

export const tarballLimits: TarballLimits = {
  fileBytesMax: mebibyte,
  unpackedBytesMax: 1024 * mebibyte,
  entriesMax: 50_000,
  importedBytesMax: 128 * mebibyte,
};
/** Generated directories: version control, dependencies, caches, coverage. */
const ignoredNames: ReadonlySet<string> = new Set([
  '.git',
  'node_modules',
  'bower_components',
  '.venv',
  '__pycache__',
  '.next',
  '.turbo',
  '.cache',
  'dist',
  'coverage',
]);

/** The archive is invalid or exceeds a limit; nothing was written. */
export class TarballRefusedError extends Error {
  override readonly name = 'TarballRefusedError';
  readonly code: 'bad_request' | 'payload_too_large';

  constructor(code: TarballRefusedError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

export interface TarballRequest {
  readonly workspaceId: string;
  /** Target directory of its files. */
  readonly directory: string;
  readonly headSha: string;
  readonly archive: Uint8Array;
  readonly actor: Actor;
  readonly access: AccessSubject | null;
  readonly mayWrite: (path: string) => boolean;
  readonly correlationId: string;
}

export interface ImportError {
  readonly path: string;
  readonly code: Refusal['code'];
  readonly message: string;
}

export interface TarballResult {
  readonly imported: number;
  readonly bytesWritten: number;
  readonly errors: readonly ImportError[];
  readonly skipped: readonly { readonly path: string; readonly reason: 'ignored' | 'too-large' }[];
}

interface Reading {
  readonly files: { readonly path: string; readonly bytes: Uint8Array }[];
  readonly errors: ImportError[];
  readonly skipped: { path: string; reason: 'ignored' | 'too-large' }[];
  bytes: number;
}

/** Throws a TarballRefusedError and writes nothing. Refused files do not prevent the others. */
export async function importTarball(
  workspaces: Pick<WorkspaceService, 'stage' | 'change'>,
  request: TarballRequest,
  limits: TarballLimits = tarballLimits,
): Promise<TarballResult> {
  const reading = await readTarball(request, limits);
  const changes: FileChange[] = [];
  for (const { path, bytes } of reading.files) changes.push(await changeOf(workspaces, request, path, bytes));
  const results =
    changes.length === 0
      ? []
      : await workspaces.change({
          workspaceId: request.workspaceId,
          changes,
          atomic: false,
          actor: request.actor,
          // The content comes from the provider, so it makes no operations.
          origin: 'provider_sync',
          access: request.access,
          correlationId: request.correlationId,
          makesOperations: false,
        });
  let imported = 0;
  let bytesWritten = 0;
  const errors = [...reading.errors];
  results.forEach((result, index) => {
    if (result.ok) {
      imported += 1;
      bytesWritten += reading.files[index]?.bytes.length ?? 0;
    } else errors.push({ path: result.path, code: result.code, message: result.message });
  });
  return { imported, bytesWritten, errors, skipped: reading.skipped };
}

async function changeOf(
  workspaces: Pick<WorkspaceService, 'stage'>,
  { headSha }: TarballRequest,
  path: string,
  bytes: Uint8Array,
): Promise<FileChange> {
  const text = decodeText(bytes);
  return {
    kind: 'write_file',
    path,
    precondition: { kind: 'any' },
    content: await workspaces.stage(bytes),
    defaultContentType: contentTypeOf(path, text !== null),
    encoding: text === null ? 'base64' : 'utf-8',
    semantics: { properties: { headSha } },
    ...(isAclPath(path) ? { aclText: text ?? '' } : {}),
  };
}

async function readTarball(request: TarballRequest, limits: TarballLimits): Promise<Reading> {
  const { unpackedBytesMax, entriesMax, importedBytesMax, fileBytesMax } = limits;
  const reading: Reading = { files: [], errors: [], skipped: [], bytes: 0 };
  const gunzip = createGunzip();
  const tar = extract();
  let unpackedBytes = 0;
  let entries = 0;
  gunzip.on('error', (error) => tar.destroy(error));
  gunzip.on('data', (piece: Buffer) => {
    unpackedBytes += piece.length;
    if (unpackedBytes > unpackedBytesMax)
      gunzip.destroy(tooLarge(`the unpacked archive has more than ${unpackedBytesMax} bytes`));
  });
  gunzip.pipe(tar);
  gunzip.end(request.archive);
  try {
    for await (const entry of tar) {
      entries += 1;
      if (entries > entriesMax) throw tooLarge(`the archive has more than ${entriesMax} entries`);
      const path = pathToRead(request, entry.header, reading, fileBytesMax);
      if (path === null) {
        entry.resume();
        continue;
      }
      const pieces: Buffer[] = [];
      for await (const piece of entry) pieces.push(piece as Buffer);
      const bytes = Buffer.concat(pieces);
      reading.bytes += bytes.length;
      if (reading.bytes > importedBytesMax)
        throw tooLarge(`the files have more than ${importedBytesMax} bytes together`);
      reading.files.push({ path, bytes });
    }
  } catch (error) {
    if (error instanceof TarballRefusedError) throw error;
    throw new TarballRefusedError(
      'bad_request',
      'the body is not a complete gzipped tar archive: send the tarball of a repository',
    );
  } finally {
    gunzip.destroy();
    tar.destroy();
  }
  return reading;
}

function tooLarge(fact: string): TarballRefusedError {
  return new TarballRefusedError('payload_too_large', `${fact}: import a smaller archive`);
}

/** null: the entry is not imported; `reading` has the reason, except for a directory. */
function pathToRead(
  request: TarballRequest,
  header: Header,
  reading: Reading,
  fileBytesMax: number,
): string | null {
  const { name, type, size = 0 } = header;
  if (type === 'directory') return null;
  // The leading directory has the name of the commit and is not part of the repository.
  const inside = name.slice(name.indexOf('/') + 1);
  const refuse = (code: ImportError['code'], message: string) => {
    reading.errors.push({ path: inside, code, message });
    return null;
  };
  if (inside.split('/').some((segment) => ignoredNames.has(segment))) {
    reading.skipped.push({ path: inside, reason: 'ignored' });
    return null;
  }
  if (type !== 'file' && type !== 'contiguous-file')
    return refuse('invalid_path', `entries of type ${type} are not imported`);
  if (!name.includes('/') || name.startsWith('/')) {
    return refuse('invalid_path', 'the entry is outside the leading directory');
  }
  const parsed = parseWritePath(`${request.directory}/${inside}`);
  if (!parsed.ok) return refuse('invalid_path', parsed.reason);
  if (!request.mayWrite(parsed.path)) return refuse('forbidden', 'file access denied by path scope');
  if (size > fileBytesMax) {
    reading.skipped.push({ path: inside, reason: 'too-large' });
    return null;
  }
  return parsed.path;
}
