// Writes files as a patch that `git apply` turns into the same bytes (docs/wire-contract.md#exports): text as added lines, empty
// files in git's form, binary content as a git binary patch.
import { isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
import { createDeflate } from 'node:zlib';
import { gitBlobId, gitBlobIdInSlices } from '../platform/crypto/hashes.ts';
import { TimeSlices, yieldToEventLoop } from '../platform/event-loop.ts';

const newline = 0x0a;
const noObject = '0'.repeat(40);
/** git's alphabet of base 85 (base85.c), in its order. */
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~';
/** Bytes of deflated data on one line of a binary patch (git's diff.c). */
const binaryLineBytes = 52;
/** Bytes of text converted at once, and lines of a binary patch per chunk. */
const blockBytes = 64 * 1024;
const chunkLines = 1_000;
/** Bytes of a deflated piece, which the main thread writes as lines in one turn. */
const deflatedBytes = chunkLines * binaryLineBytes;
/** Git's form of a missing file: a literal of 0 bytes. */
const emptyLiteral = 'literal 0\nHcmV?d00001\n\n';

/** The part of the patch that creates this file, in chunks with a return to the event loop between them. `path` starts with a slash. */
export async function* filePatch(path: string, bytes: Buffer): AsyncGenerator<Buffer, void, undefined> {
  const relative = path.slice(1);
  const head =
    `diff --git ${quoted(`a/${relative}`)} ${quoted(`b/${relative}`)}\nnew file mode 100644\n` +
    `index ${noObject}..${await gitBlobIdInSlices(bytes)}\n`;
  if (bytes.length === 0) return yield Buffer.from(head);
  if (isBinary(bytes)) {
    yield Buffer.from(`${head}GIT binary patch\n`);
    yield* literal(bytes);
    return yield Buffer.from(emptyLiteral);
  }
  yield Buffer.from(`${head}--- /dev/null\n+++ ${name(`b/${relative}`)}\n`);
  yield* addedLines(bytes);
}

/**
 * The header above the hunks of a diff; null: no file on that side. Without hunks (an empty file is created or deleted) git writes
 * no `---` and `+++` lines.
 */
export function patchHead(path: string, before: Buffer | null, after: Buffer | null, hunks: boolean): string {
  const relative = path.slice(1);
  const id = (bytes: Buffer | null) => (bytes === null ? noObject : gitBlobId(bytes));
  const mode =
    before === null ? 'new file mode 100644\n' : after === null ? 'deleted file mode 100644\n' : '';
  const sideLines = hunks
    ? `--- ${before === null ? '/dev/null' : name(`a/${relative}`)}\n+++ ${after === null ? '/dev/null' : name(`b/${relative}`)}\n`
    : '';
  return (
    `diff --git ${quoted(`a/${relative}`)} ${quoted(`b/${relative}`)}\n${mode}` +
    `index ${id(before)}..${id(after)}${mode === '' ? ' 100644' : ''}\n${sideLines}`
  );
}

/** A NUL means binary, as in git; so does anything that is not UTF-8, because the patch is sent as UTF-8 text. */
export function isBinary(bytes: Buffer): boolean {
  return bytes.includes(0) || !isUtf8(bytes);
}

async function* addedLines(bytes: Buffer): AsyncGenerator<Buffer, void, undefined> {
  const endsWithNewline = bytes.at(-1) === newline;
  const lines = (await newlinesIn(bytes)) + (endsWithNewline ? 0 : 1);
  yield Buffer.from(`@@ -0,0 +${lines === 1 ? '1' : `1,${lines}`} @@\n+`);
  const text = endsWithNewline ? bytes.subarray(0, -1) : bytes;
  for (let from = 0; from < text.length; ) {
    const end = blockEnd(text, from);
    yield Buffer.from(text.toString('utf8', from, end).replaceAll('\n', '\n+'));
    from = end;
    await yieldToEventLoop();
  }
  yield Buffer.from(endsWithNewline ? '\n' : '\n\\ No newline at end of file\n');
}

async function newlinesIn(bytes: Buffer): Promise<number> {
  const turns = new TimeSlices();
  let count = 0;
  for (let from = 0; from < bytes.length; from += blockBytes) {
    for (const byte of bytes.subarray(from, from + blockBytes)) if (byte === newline) count += 1;
    await turns.next();
  }
  return count;
}

/** Never splits a UTF-8 character: a byte `10xxxxxx` continues the one before it. */
function blockEnd(bytes: Buffer, from: number): number {
  let end = Math.min(from + blockBytes, bytes.length);
  while (end < bytes.length && ((bytes[end] ?? 0) & 0xc0) === 0x80) end += 1;
  return end;
}

/** `literal <size>`, then deflated bytes in lines: a letter for the length, five characters for every four bytes. */
async function* literal(bytes: Buffer): AsyncGenerator<Buffer, void, undefined> {
  yield Buffer.from(`literal ${bytes.length}\n`);
  let pending: Buffer = Buffer.alloc(0);
  for await (const piece of deflated(bytes)) {
    const known = pending.length === 0 ? piece : Buffer.concat([pending, piece]);
    const whole = known.length - (known.length % binaryLineBytes);
    if (whole > 0) yield Buffer.from(binaryLines(known.subarray(0, whole)));
    pending = known.subarray(whole);
    await yieldToEventLoop();
  }
  yield Buffer.from(`${binaryLines(pending)}\n`);
}

/** In pieces: to join those of a large file would take longer than a turn may. A thread of libuv's pool deflates. */
function deflated(bytes: Buffer): AsyncIterable<Buffer> {
  return Readable.from(blocksOf(bytes)).compose(createDeflate({ chunkSize: deflatedBytes }));
}

function* blocksOf(bytes: Buffer): Generator<Buffer, void, undefined> {
  for (let from = 0; from < bytes.length; from += blockBytes) yield bytes.subarray(from, from + blockBytes);
}

function binaryLines(bytes: Buffer): string {
  let lines = '';
  for (let start = 0; start < bytes.length; start += binaryLineBytes) lines += binaryLine(bytes, start);
  return lines;
}

function binaryLine(deflated: Buffer, start: number): string {
  const end = Math.min(start + binaryLineBytes, deflated.length);
  const length = end - start;
  let line = String.fromCharCode(length <= 26 ? 0x40 + length : 0x60 + length - 26);
  for (let at = start; at < end; at += 4) {
    line += base85(
      (byteAt(deflated, at, end) * 0x1000000 +
        byteAt(deflated, at + 1, end) * 0x10000 +
        byteAt(deflated, at + 2, end) * 0x100 +
        byteAt(deflated, at + 3, end)) >>>
        0,
    );
  }
  return `${line}\n`;
}

function byteAt(bytes: Buffer, at: number, end: number): number {
  return at < end ? (bytes[at] ?? 0) : 0;
}

function base85(value: number): string {
  let rest = value;
  let text = '';
  for (let digit = 0; digit < 5; digit += 1) {
    text = alphabet.charAt(rest % 85) + text;
    rest = Math.floor(rest / 85);
  }
  return text;
}

/** A name in the `---`/`+++` lines: one with a space ends with a tab, which marks its end (git's diff.c). */
function name(path: string): string {
  const text = quoted(path);
  return text === path && path.includes(' ') ? `${path}\t` : text;
}

/** C-style quotes around names with control characters, quotes or backslashes (git's quote.c); UTF-8 is not escaped. */
function quoted(path: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that have to be quoted
  if (!/[\u0000-\u001f\u007f"\\]/.test(path)) return path;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: as above
  const escaped = path.replace(/[\u0000-\u001f\u007f"\\]/g, (character) => {
    const known = { '"': '\\"', '\\': '\\\\', '\n': '\\n', '\t': '\\t', '\r': '\\r' }[character];
    return known ?? `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`;
  });
  return `"${escaped}"`;
}
