// What a disk can hold: folding of case and Unicode forms, reserved names, lengths (sync-engine rule 15). Pure; the probe of
// the disk is in disk/root. It never renames anything.
import { nameOf, segmentBytesMax, utf8Length } from '../core/path.ts';

export interface NameRules {
  /** `A` and `a` are one name. */
  readonly foldsCase: boolean;
  /** NFC and NFD forms are one name. */
  readonly foldsUnicode: boolean;
  /** Names and characters that Windows reserves. */
  readonly windows: boolean;
  /** Bytes of the root and a path together. */
  readonly pathBytesMax: number;
  readonly rootBytes: number;
}

const windowsDevices = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i;
// Control characters are what the rule is about.
// biome-ignore lint/suspicious/noControlCharactersInRegex: Windows refuses them in names.
const windowsCharacters = /[<>:"\\|?*\u0000-\u001f]/;

/** Why this disk cannot hold a file at the path, in words for people; null when it can. */
export function whyNotHeld(rules: NameRules, path: string): string | null {
  if (rules.rootBytes + utf8Length(path) >= rules.pathBytesMax) return 'The path is too long for this disk.';
  for (const segment of path.slice(1).split('/')) {
    if (utf8Length(segment) > segmentBytesMax) return 'A name of the path is longer than 255 bytes.';
    if (!rules.windows) continue;
    if (windowsDevices.test(segment)) return `Windows reserves the name "${segment}".`;
    if (windowsCharacters.test(segment)) return `Windows does not allow a character of "${segment}".`;
    if (/[. ]$/.test(segment)) return `Windows drops the last character of "${segment}".`;
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

/** A name that the disk could hold, to propose to people. */
export function proposedName(path: string): string {
  return nameOf(path)
    .replace(/[<>:"\\|?*]/g, '_')
    .replace(/[. ]+$/, '_')
    .replace(windowsDevices, (device) => `_${device}`);
}
