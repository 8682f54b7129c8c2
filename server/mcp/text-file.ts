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
  /** Longer than the limit, and a text as far as it was loaded. */
  readonly isLongText: boolean;
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
    const isWhole = bytes.length === raw.size;
    const looksLikeText = isText(isWhole ? bytes : wholeCharacters(bytes));
    return {
      revision: raw.revision,
      size: raw.size,
      bytes,
      text: looksLikeText && isWhole ? bytes.toString('utf8') : null,
      isLongText: looksLikeText && !isWhole,
    };
  } catch (error) {
    // An empty file has no range.
    if (!(error instanceof MooringError) || error.status !== 416) throw error;
    const stat = await client.files.stat(session.workspaceId, path, options);
    return { revision: stat.revision, size: stat.size, bytes: Buffer.alloc(0), text: '', isLongText: false };
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

function isText(bytes: Buffer): boolean {
  return !bytes.includes(0) && isUtf8(bytes);
}

/** Without the last character, which may be cut. */
function wholeCharacters(bytes: Buffer): Buffer {
  let end = bytes.length;
  while (end > 0 && ((bytes[end - 1] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.subarray(0, Math.max(0, end - 1));
}
