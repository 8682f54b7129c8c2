// Rules for names that a disk supports: folding of case and Unicode forms, reserved names, lengths (docs/sync-rules.md#15). Pure;
// disk/root probes the disk.
import { nameOf, segmentBytesMax, utf8Length } from '../../core/paths/path.ts';
import type { NameRules } from '../port/folder.ts';
import { composed } from './unicode-normalization.ts';

const windowsDevices = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i;
// Control characters are what the rule is about.
// biome-ignore lint/suspicious/noControlCharactersInRegex: Windows refuses them in names.
const windowsCharacters = /[<>:"\\|?*\u0000-\u001f]/g;

/** For people: why the disk does not support the path; null: it does. */
export function unsupportedNameReason(rules: NameRules, path: string): string | null {
  if (rules.rootBytes + utf8Length(path) >= rules.pathBytesMax) return 'The path is too long for this disk.';
  for (const segment of path.slice(1).split('/')) {
    if (utf8Length(segment) > segmentBytesMax) return 'A name in the path is longer than 255 bytes.';
    if (rules.decomposes && segment !== composed(segment))
      return `This disk changes the Unicode normalization of "${segment}".`;
    if (!rules.windows) continue;
    if (windowsDevices.test(segment)) return `Windows reserves the name "${segment}".`;
    if (segment.search(windowsCharacters) !== -1)
      return `Windows does not allow a character in "${segment}".`;
    if (/[. ]$/.test(segment)) return `Windows removes the last character of "${segment}".`;
  }
  return null;
}

/** Two paths with the same key are one path on this disk. */
export function foldKey(rules: NameRules, path: string): string {
  // Case is folded through upper case first: `ß` and `ss`, `ſ` and `s` then meet, as they do on such disks.
  const unicode = rules.foldsUnicode || rules.foldsCase ? path.normalize('NFC') : path;
  return rules.foldsCase ? unicode.toUpperCase().toLowerCase() : unicode;
}

export function folds(rules: NameRules): boolean {
  return rules.foldsCase || rules.foldsUnicode;
}

/** Another name for one of a path's names. */
export interface NameSuggestion {
  readonly from: string;
  readonly to: string;
}

/** Another name for the first unsupported name of the path; null: renaming one name is not enough. */
export function suggestedName(rules: NameRules, path: string): NameSuggestion | null {
  for (const from of path.slice(1).split('/')) {
    const normalized = rules.decomposes ? composed(from) : from;
    const to = rules.windows ? allowed(normalized) : normalized;
    if (to !== from) return { from, to };
  }
  const from = nameOf(path);
  const { stem, extension } = splitName(from);
  const tooLong = rules.rootBytes + utf8Length(path) - rules.pathBytesMax + 1;
  const to = cut(stem, utf8Length(stem) - tooLong) + extension;
  return utf8Length(to) > utf8Length(extension) ? { from, to } : null;
}

/** `plan.md` -> `plan 2.md`. */
export function numberedName(name: string, number = 2): string {
  const { stem, extension } = splitName(name);
  const suffix = ` ${number}${extension}`;
  return cut(stem, segmentBytesMax - utf8Length(suffix)) + suffix;
}

function allowed(name: string): string {
  return name
    .replace(windowsCharacters, '_')
    .replace(/[. ]+$/, '_')
    .replace(windowsDevices, (device) => `_${device}`);
}

function splitName(name: string): { readonly stem: string; readonly extension: string } {
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? { stem: name, extension: '' } : { stem: name.slice(0, dot), extension: name.slice(dot) };
}

/** The whole characters that fit into `bytesMax`. */
function cut(text: string, bytesMax: number): string {
  let fitting = '';
  for (const character of text) {
    if (utf8Length(fitting + character) > bytesMax) break;
    fitting += character;
  }
  return fitting;
}
