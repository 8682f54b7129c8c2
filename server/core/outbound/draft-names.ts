// Names of drafts: which names are drafts, and the path that a draft gets from its provider. Pure.
import { normalizeReadPath, parentOf, parseWritePath, providerOf } from '../paths/path.ts';

/**
 * The canonical path while it belongs to the same provider, else
 * `<dir>/<externalId, with "/", "\" and spaces as "_"><extension>`; null when neither is a valid path of a file.
 */
export function draftTarget(
  path: string,
  named: { readonly externalId: string | null; readonly canonicalPath: string | null },
): string | null {
  if (named.canonicalPath !== null) {
    const canonical = parseWritePath(normalizeReadPath(named.canonicalPath));
    if (canonical.ok && providerOf(canonical.path) === providerOf(path)) return canonical.path;
  }
  if (named.externalId === null) return null;
  const parsed = parseWritePath(siblingPath(path, named.externalId));
  return parsed.ok ? parsed.path : null;
}

function siblingPath(path: string, externalId: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  const extension = dot > 0 ? name.slice(dot) : '';
  const directory = parentOf(path) ?? '/';
  return `${directory === '/' ? '' : directory}/${externalId.replace(/[/\\ ]/g, '_')}${extension}`;
}

/** `<resource> <uuid>.json`, the name that clients give to a file without an id. */
const draftName = /^.+ [0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\.json$/i;

export function isDraftName(name: string): boolean {
  return draftName.test(name);
}

/** A glob over a name: `*` any characters, `?` one, `[a-c]` and `[^a]` one of a set, `\` quotes the next one. */
export interface NameGlob {
  matches(name: string): boolean;
}

const nameGlobCharactersMax = 256;

/** A part of a glob: `*`, or a test of one character. */
type GlobPart = 'any' | ((character: string) => boolean);

/** null: not a valid glob, or one with a slash. */
export function parseNameGlob(glob: string): NameGlob | null {
  if (glob === '' || glob.length > nameGlobCharactersMax || glob.includes('/')) return null;
  const characters = [...glob];
  const parts: GlobPart[] = [];
  for (let index = 0; index < characters.length; index += 1) {
    const character = characters[index] ?? '';
    if (character === '*') parts.push('any');
    else if (character === '?') parts.push(() => true);
    else if (character === '[') {
      const end = characters.indexOf(']', index + 2);
      const set = end === -1 ? null : parseSet(characters.slice(index + 1, end));
      if (set === null) return null;
      parts.push(set);
      index = end;
    } else if (character === '\\') {
      index += 1;
      const escaped = characters[index];
      if (escaped === undefined) return null;
      parts.push((other) => other === escaped);
    } else parts.push((other) => other === character);
  }
  return { matches: (name) => matchesParts(parts, [...name]) };
}

function parseSet(characters: readonly string[]): GlobPart | null {
  const inverted = characters[0] === '^';
  const rest = inverted ? characters.slice(1) : characters;
  const ranges: (readonly [string, string])[] = [];
  for (let index = 0; index < rest.length; index += 1) {
    const low = rest[index] ?? '';
    const isRange = rest[index + 1] === '-' && index + 2 < rest.length;
    const high = isRange ? (rest[index + 2] ?? '') : low;
    if (high < low) return null;
    ranges.push([low, high]);
    if (isRange) index += 2;
  }
  if (ranges.length === 0) return null;
  return (character) => ranges.some(([low, high]) => character >= low && character <= high) !== inverted;
}

/** Only the last `*` is widened again, so the work is at most the product of the two lengths. */
function matchesParts(parts: readonly GlobPart[], name: readonly string[]): boolean {
  let part = 0;
  let index = 0;
  let starPart = -1;
  let starIndex = 0;
  while (index < name.length) {
    const wanted = parts[part];
    if (wanted === 'any') {
      starPart = part;
      starIndex = index;
      part += 1;
    } else if (wanted?.(name[index] ?? '')) {
      part += 1;
      index += 1;
    } else if (starPart >= 0) {
      starIndex += 1;
      index = starIndex;
      part = starPart + 1;
    } else return false;
  }
  while (parts[part] === 'any') part += 1;
  return part === parts.length;
}
