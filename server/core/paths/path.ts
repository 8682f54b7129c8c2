// Paths of the wire: how they are normalized, which are valid for writes, how they nest and sort. Pure text rules; a disk's rules
// for names are in disk/names.

/** Limits in bytes of UTF-8 (docs/wire-contract.md#paths). */
export const pathBytesMax = 4096;
export const segmentBytesMax = 255;
const segmentsMax = 100;

export type ParsedPath =
  | { readonly ok: true; readonly path: string }
  /** `reason` is a phrase for people, without the path itself. */
  | { readonly ok: false; readonly reason: string };

/**
 * Normalizes a path for reads: empty means the root, a missing leading slash is added, exactly one trailing slash is removed.
 * Nothing else changes, so `/a/../b` matches no stored path.
 */
export function normalizeReadPath(raw: string): string {
  const rooted = raw.startsWith('/') ? raw : `/${raw}`;
  return rooted.length > 1 && rooted.endsWith('/') ? rooted.slice(0, -1) : rooted;
}

/** A valid path of a file (docs/wire-contract.md#paths) in its normal form, or why it is not valid. */
export function parseWritePath(raw: string): ParsedPath {
  if (raw === '') return refused('the path is empty');
  const path = normalizeReadPath(raw);
  if (path === '/') return refused('the root is not a file');
  if (path.includes('\0')) return refused('the path holds a NUL');
  if (!path.isWellFormed()) return refused('the path holds an unpaired surrogate');
  // A string has at least as many bytes as UTF-16 units: this cheap test comes first, so that a huge path costs nothing.
  if (path.length > pathBytesMax || utf8Length(path) > pathBytesMax) {
    return refused(`the path is longer than ${pathBytesMax} bytes`);
  }
  const segments = path.slice(1).split('/');
  if (segments.length > segmentsMax) return refused(`the path has more than ${segmentsMax} segments`);
  for (const segment of segments) {
    if (segment === '') return refused('the path has an empty segment');
    if (segment === '.' || segment === '..') return refused(`the path has a segment "${segment}"`);
    if (segment.length > segmentBytesMax || utf8Length(segment) > segmentBytesMax) {
      return refused(`a segment of the path is longer than ${segmentBytesMax} bytes`);
    }
  }
  return { ok: true, path };
}

function refused(reason: string): ParsedPath {
  return { ok: false, reason };
}

/** First segment, lower-cased: `/GitHub/a.md` -> `github`, `/b.md` -> `b.md`, `/` -> empty. */
export function providerOf(path: string): string {
  const normal = normalizeReadPath(path);
  const end = normal.indexOf('/', 1);
  return (end === -1 ? normal.slice(1) : normal.slice(1, end)).toLowerCase();
}

/** Is `path` the base itself or below it? Both sides are normalised first; case counts. */
export function isWithin(base: string, path: string): boolean {
  const outer = normalizeReadPath(base);
  const inner = normalizeReadPath(path);
  if (outer === '/') return true;
  return inner.startsWith(outer) && (inner.length === outer.length || inner[outer.length] === '/');
}

/** The ancestors of a normal path, outermost first: `/a/b/c` -> `/`, `/a`, `/a/b`. The root has none. */
export function ancestorsOf(path: string): readonly string[] {
  if (path === '/') return [];
  const ancestors = ['/'];
  for (let end = path.indexOf('/', 1); end !== -1; end = path.indexOf('/', end + 1)) {
    ancestors.push(path.slice(0, end));
  }
  return ancestors;
}

/** The parent of a normal path; null for the root. */
export function parentOf(path: string): string | null {
  if (path === '/') return null;
  const end = path.lastIndexOf('/');
  return end === 0 ? '/' : path.slice(0, end);
}

/** Last segment of a normal path; empty for the root. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** How many segments below the root: `/` 0, `/a` 1, `/a/b` 2. */
export function depthOf(path: string): number {
  if (path === '/') return 0;
  let depth = 0;
  for (let at = 0; at !== -1; at = path.indexOf('/', at + 1)) depth += 1;
  return depth;
}

/** `child` under a directory, whether or not that is the root. */
export function joinPath(directory: string, child: string): string {
  return directory === '/' ? `/${child}` : `${directory}/${child}`;
}

/**
 * Order of the UTF-8 bytes, which is the order of code points and the one in which SQLite's BINARY collation sorts. The
 * language's own `<` orders UTF-16 units and disagrees where a surrogate meets U+E000..U+FFFF.
 */
export function comparePaths(left: string, right: string): number {
  const shared = Math.min(left.length, right.length);
  for (let index = 0; index < shared; index += 1) {
    const a = left.charCodeAt(index);
    const b = right.charCodeAt(index);
    if (a !== b) {
      const surrogates = (isSurrogate(a) ? 1 : 0) - (isSurrogate(b) ? 1 : 0);
      return surrogates !== 0 ? surrogates : a - b;
    }
  }
  return left.length - right.length;
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}

/** Bytes of the text in UTF-8; an unpaired surrogate counts as the three bytes of U+FFFD. */
export function utf8Length(text: string): number {
  let bytes = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) bytes += 1;
    else if (unit < 0x800) bytes += 2;
    else if (unit >= 0xd800 && unit < 0xdc00 && isLowSurrogate(text.charCodeAt(index + 1))) {
      bytes += 4;
      index += 1;
    } else bytes += 3;
  }
  return bytes;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/** A copy: a part of a longer text keeps all of that in memory, such as all the paths that it was sent with. */
export function ownText(text: string): string {
  const units: number[] = [];
  for (let at = 0; at < text.length; at += 1) units.push(text.charCodeAt(at));
  return String.fromCharCode(...units);
}
