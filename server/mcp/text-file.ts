// Reads a file for a tool: its bytes up to a limit, its revision, and whether it is text.
import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { MooringError, NotFoundError } from '../../sdk/index.ts';
import { readBytesMax } from './limits.ts';
import type { ToolCall } from './session.ts';
import { ToolError } from './tool-error.ts';

export interface LoadedFile {
  readonly revision: string;
  /** Of the whole file; `bytes` has at most `readBytesMax`. */
  readonly size: number;
  readonly bytes: Buffer;
  /** null: binary, or longer than the limit. */
  readonly text: string | null;
}

/** Rejects with a NotFoundError when there is no file. */
export async function loadFile(
  { client, session, signal, forkId }: ToolCall,
  path: string,
  revision?: string,
): Promise<LoadedFile> {
  const options = {
    signal,
    ...(forkId === undefined ? {} : { forkId }),
    ...(revision === undefined ? {} : { revision }),
  };
  try {
    const raw = await client.files.readRaw(session.workspaceId, path, { ...options, end: readBytesMax });
    const bytes = Buffer.from(await new Response(raw.stream).arrayBuffer());
    return { revision: raw.revision, size: raw.size, bytes, text: textOf(bytes, raw.size) };
  } catch (error) {
    // An empty file has no range.
    if (!(error instanceof MooringError) || error.status !== 416) throw error;
    const stat = await client.files.stat(session.workspaceId, path, options);
    return { revision: stat.revision, size: stat.size, bytes: Buffer.alloc(0), text: '' };
  }
}

/** null: there is no file. */
export async function loadFileIfAny(call: ToolCall, path: string): Promise<LoadedFile | null> {
  return await loadFile(call, path).catch((error: unknown) => {
    if (error instanceof NotFoundError && error.code === 'not_found') return null;
    throw error;
  });
}

/** Refuses what is no text. */
export function requiredText({ text, size }: LoadedFile, path: string): string {
  if (text !== null) return text;
  throw new ToolError(
    'bad_request',
    size > readBytesMax
      ? `${path} has ${size} bytes: tools edit texts of at most ${readBytesMax} bytes`
      : `${path} is not a UTF-8 text`,
    'Write the whole file with write_file, or use the HTTP API.',
  );
}

export function sha256Of({ bytes, size }: LoadedFile): string | undefined {
  return bytes.length === size ? createHash('sha256').update(bytes).digest('hex') : undefined;
}

function textOf(bytes: Buffer, size: number): string | null {
  if (bytes.length < size || bytes.includes(0) || !isUtf8(bytes)) return null;
  return bytes.toString('utf8');
}
