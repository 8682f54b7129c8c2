// Names conflict copies. Pure: time and zone are arguments, and the caller says which names are taken. Whether there is a conflict
// is decided in reconcile.ts.
import { joinPath, nameOf, parentOf, segmentBytesMax, utf8Length } from '../paths/path.ts';

/** The time, and the agent's offset from UTC at that time in minutes east of Greenwich. */
export interface LocalMoment {
  readonly atMs: number;
  readonly offsetMinutes: number;
}

/** More names than this are never tried for one path and second. */
const numberMax = 10_000;
const ourSuffix = / \(conflict \d{4}-\d\d-\d\d \d\d\.\d\d\.\d\d\)(?: \d+)?$/;

/**
 * `/docs/plan.md` -> `/docs/plan (conflict 2026-11-20 14.03.09).md`, in the same directory (docs/sync-rules.md#14). A copy of a
 * copy replaces the suffix, so names never nest; a taken name gets ` 2`, ` 3`; the stem is cut between characters so that the name
 * stays within 255 bytes.
 */
export function conflictCopyPath(
  path: string,
  moment: LocalMoment,
  isTaken: (path: string) => boolean,
): string {
  const parent = parentOf(path);
  if (parent === null) throw new Error('the root has no conflict copy');
  const { stem, extension } = splitName(nameOf(path));
  const plainStem = stem.replace(ourSuffix, '');
  for (let number = 1; number <= numberMax; number += 1) {
    const suffix = ` (conflict ${stamp(moment)})${number === 1 ? '' : ` ${number}`}`;
    const candidate = joinPath(parent, fit(plainStem, suffix, extension));
    if (!isTaken(candidate)) return candidate;
  }
  throw new Error(`no free conflict name for ${path}`);
}

/** The last dot divides, but not the first character's: `.env` has no extension, `a.tar.gz` has `.gz`. */
function splitName(name: string): { stem: string; extension: string } {
  // The dots of our own suffix start no extension: the name of a copy of `plan` ends with the suffix.
  if (ourSuffix.test(name)) return { stem: name, extension: '' };
  const dot = name.lastIndexOf('.');
  if (dot <= 0 || dot === name.length - 1) return { stem: name, extension: '' };
  return { stem: name.slice(0, dot), extension: name.slice(dot) };
}

function fit(stem: string, suffix: string, extension: string): string {
  const room = segmentBytesMax - utf8Length(suffix) - utf8Length(extension);
  // An "extension" that leaves no bytes for a stem is not one: the dot is early in a very long name.
  if (room < 1) return cut(stem + extension, segmentBytesMax - utf8Length(suffix)) + suffix;
  return cut(stem, room) + suffix + extension;
}

/** The longest prefix of whole characters that fits into that many bytes of UTF-8. */
function cut(text: string, bytesMax: number): string {
  if (utf8Length(text) <= bytesMax) return text;
  let kept = '';
  let bytes = 0;
  for (const character of text) {
    bytes += utf8Length(character);
    if (bytes > bytesMax) break;
    kept += character;
  }
  return kept;
}

function stamp(moment: LocalMoment): string {
  // Shifted by the offset and read as UTC: the language's own local getters would read the process's zone.
  const local = new Date(moment.atMs + moment.offsetMinutes * 60_000).toISOString();
  return `${local.slice(0, 10)} ${local.slice(11, 19).replaceAll(':', '.')}`;
}
