// A workspace as a patch that `git apply` turns back into the same bytes (contract ruling 14): text as added lines, files
// without bytes as git writes them, everything that is no text as a git binary patch. Pure.
import { deflateSync } from 'node:zlib';
import { gitBlobId } from '../platform/git-blob-id.ts';

const newline = 0x0a;
const noObject = '0'.repeat(40);
/** git's alphabet of base 85 (base85.c), in its order. */
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~';
/** Bytes of deflated data on one line of a binary patch (git's diff.c). */
const binaryLineBytes = 52;
/** What git writes for "the file was not there": a literal of no bytes. */
const emptyLiteral = 'literal 0\nHcmV?d00001\n\n';

/** The part of the patch that creates this file. `path` starts with a slash. */
export function patchOf(path: string, bytes: Buffer): string | Buffer {
  const relative = path.slice(1);
  const head =
    `diff --git ${quoted(`a/${relative}`)} ${quoted(`b/${relative}`)}\nnew file mode 100644\n` +
    `index ${noObject}..${gitBlobId(bytes)}\n`;
  if (bytes.length === 0) return head;
  if (isBinary(bytes)) return `${head}GIT binary patch\n${literal(bytes)}${emptyLiteral}`;
  return addedLines(`${head}--- /dev/null\n+++ ${name(`b/${relative}`)}\n`, bytes);
}

/**
 * What stands above the hunks that lead from one text to another at a path; null: nothing stands there. Without hunks (an
 * empty file appears or goes) git names no sides.
 */
export function patchHead(path: string, before: Buffer | null, after: Buffer | null, hunks: boolean): string {
  const relative = path.slice(1);
  const id = (bytes: Buffer | null) => (bytes === null ? noObject : gitBlobId(bytes));
  const mode =
    before === null ? 'new file mode 100644\n' : after === null ? 'deleted file mode 100644\n' : '';
  const sides = hunks
    ? `--- ${before === null ? '/dev/null' : name(`a/${relative}`)}\n+++ ${after === null ? '/dev/null' : name(`b/${relative}`)}\n`
    : '';
  return (
    `diff --git ${quoted(`a/${relative}`)} ${quoted(`b/${relative}`)}\n${mode}` +
    `index ${id(before)}..${id(after)}${mode === '' ? ' 100644' : ''}\n${sides}`
  );
}

/** A NUL means binary, as in git; so does anything that is not UTF-8, because the patch is sent as UTF-8 text. */
export function isBinary(bytes: Buffer): boolean {
  if (bytes.includes(0)) return true;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return false;
  } catch {
    return true;
  }
}

function addedLines(head: string, bytes: Buffer): Buffer {
  const whole = bytes.at(-1) === newline;
  let lines = whole ? 0 : 1;
  for (let at = bytes.indexOf(newline); at !== -1; at = bytes.indexOf(newline, at + 1)) lines += 1;
  const text = bytes.toString('utf8', 0, whole ? bytes.length - 1 : bytes.length);
  const count = lines === 1 ? '1' : `1,${lines}`;
  return Buffer.from(
    `${head}@@ -0,0 +${count} @@\n+${text.replaceAll('\n', '\n+')}\n${whole ? '' : '\\ No newline at end of file\n'}`,
  );
}

/** `literal <size>`, then deflated bytes in lines: a letter for the length, five characters for every four bytes. */
function literal(bytes: Buffer): string {
  const deflated = deflateSync(bytes);
  const lines: string[] = [`literal ${bytes.length}\n`];
  for (let start = 0; start < deflated.length; start += binaryLineBytes) {
    const length = Math.min(binaryLineBytes, deflated.length - start);
    const letter = String.fromCharCode(length <= 26 ? 0x40 + length : 0x60 + length - 26);
    let line = letter;
    for (let at = start; at < start + length; at += 4) {
      line += base85(
        (byteAt(deflated, at, start + length) * 0x1000000 +
          byteAt(deflated, at + 1, start + length) * 0x10000 +
          byteAt(deflated, at + 2, start + length) * 0x100 +
          byteAt(deflated, at + 3, start + length)) >>>
          0,
      );
    }
    lines.push(`${line}\n`);
  }
  lines.push('\n');
  return lines.join('');
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

/** A name in the `---`/`+++` lines: one with a space ends with a tab, so that its end can be told (git's diff.c). */
function name(path: string): string {
  const text = quoted(path);
  return text === path && path.includes(' ') ? `${path}\t` : text;
}

/** C-style quotes around names with control characters, quotes or backslashes (git's quote.c); UTF-8 stays as it is. */
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
