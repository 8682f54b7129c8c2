// Decisions about outbound items: what an attempt's end means for the item, where a draft belongs once its provider has
// named it, what a draft's name looks like. Pure; the store loads before and persists after.
import type { OperationStatus } from '../../contract/words.ts';
import { normalizeReadPath, parentOf, parseWritePath, providerOf } from '../paths/path.ts';
import { type BackoffRule, backoffMs } from './backoff.ts';

/** Contract ruling 17: 0.5 s doubling to 30 s. */
const writebackBackoff: BackoffRule = { firstDelayMs: 500, delayMsMax: 30_000 };

/** Contract 2, sync status: keys of `failureCodes`. */
export const failureCodes = [
  'rate_limited',
  'timeout',
  'unauthorized',
  'forbidden',
  'not_found',
  'conflict',
  'provider_unavailable',
  'unknown',
] as const;
export type FailureCode = (typeof failureCodes)[number];

/** What a provider made known about an item that it took. */
export interface ProviderReceipt {
  readonly externalId: string | null;
  readonly canonicalPath: string | null;
  readonly providerResult: Readonly<Record<string, unknown>> | null;
}

export type AttemptOutcome =
  | ({ readonly kind: 'delivered'; readonly httpStatus: number | null } & ProviderReceipt)
  /**
   * `refused`: the provider will never take it. `failed`: it might at the next try; counts against the item's limit.
   * `unavailable`: nobody could take anything just now; the item waits however long that lasts.
   */
  | {
      readonly kind: 'refused' | 'failed' | 'unavailable';
      readonly code: FailureCode;
      readonly message: string;
      readonly httpStatus: number | null;
    };

export interface AttemptContext {
  readonly atMs: number;
  /** In [0, 1). */
  readonly random: number;
  /** `failed` ends that an item may have, this one included. */
  readonly failuresMax: number;
  /** true: the failure may be the item's own, as far as is known; false: its provider fails for others, too. */
  readonly counts: boolean;
}

export interface AttemptDecision {
  readonly status: Extract<OperationStatus, 'succeeded' | 'pending' | 'dead_lettered'>;
  readonly failures: number;
  readonly nextAttemptAtMs: number | null;
}

export function decideAttempt(
  item: { readonly failures: number; readonly attemptCount: number },
  outcome: AttemptOutcome,
  context: AttemptContext,
): AttemptDecision {
  switch (outcome.kind) {
    case 'delivered':
      return { status: 'succeeded', failures: item.failures, nextAttemptAtMs: null };
    case 'refused':
      return { status: 'dead_lettered', failures: item.failures + 1, nextAttemptAtMs: null };
    case 'failed':
    case 'unavailable': {
      const failures = item.failures + (outcome.kind === 'failed' && context.counts ? 1 : 0);
      if (failures >= context.failuresMax)
        return { status: 'dead_lettered', failures, nextAttemptAtMs: null };
      const pauseMs = backoffMs(writebackBackoff, item.attemptCount, context.random);
      return { status: 'pending', failures, nextAttemptAtMs: context.atMs + pauseMs };
    }
    default:
      return outcome satisfies never;
  }
}

/**
 * Contract 2, writeback: the canonical path while it stays with the same provider, else
 * `<dir>/<externalId, with "/", "\" and spaces as "_"><extension>`; null when neither is a path for a file.
 */
export function placeAfter(
  path: string,
  named: { readonly externalId: string | null; readonly canonicalPath: string | null },
): string | null {
  if (named.canonicalPath !== null) {
    const canonical = parseWritePath(normalizeReadPath(named.canonicalPath));
    if (canonical.ok && providerOf(canonical.path) === providerOf(path)) return canonical.path;
  }
  if (named.externalId === null) return null;
  const parsed = parseWritePath(besideAs(path, named.externalId));
  return parsed.ok ? parsed.path : null;
}

function besideAs(path: string, externalId: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  const extension = dot > 0 ? name.slice(dot) : '';
  const directory = parentOf(path) ?? '/';
  return `${directory === '/' ? '' : directory}/${externalId.replace(/[/\\ ]/g, '_')}${extension}`;
}

/** Contract 2, sweep-drafts: `<resource> <uuid>.json`, the name that clients give to what has no id yet. */
const draftName = /^.+ [0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\.json$/i;

export function isDraftName(name: string): boolean {
  return draftName.test(name);
}

/** A glob over a name: `*` any characters, `?` one, `[a-c]` and `[^a]` one of a set, `\` takes the next as it is. */
export interface NameGlob {
  matches(name: string): boolean;
}

const nameGlobCharactersMax = 256;

/** One place of a glob: `*`, or what a single character must be. */
type GlobPart = 'any' | ((character: string) => boolean);

/** null: no glob of that form, or one with a slash. */
export function parseNameGlob(glob: string): NameGlob | null {
  if (glob === '' || glob.length > nameGlobCharactersMax || glob.includes('/')) return null;
  const characters = [...glob];
  const parts: GlobPart[] = [];
  for (let at = 0; at < characters.length; at += 1) {
    const character = characters[at] ?? '';
    if (character === '*') parts.push('any');
    else if (character === '?') parts.push(() => true);
    else if (character === '[') {
      const end = characters.indexOf(']', at + 2);
      const set = end === -1 ? null : parseSet(characters.slice(at + 1, end));
      if (set === null) return null;
      parts.push(set);
      at = end;
    } else if (character === '\\') {
      at += 1;
      const escaped = characters[at];
      if (escaped === undefined) return null;
      parts.push((one) => one === escaped);
    } else parts.push((one) => one === character);
  }
  return { matches: (name) => matchesParts(parts, [...name]) };
}

function parseSet(characters: readonly string[]): GlobPart | null {
  const inverted = characters[0] === '^';
  const rest = inverted ? characters.slice(1) : characters;
  const ranges: (readonly [string, string])[] = [];
  for (let at = 0; at < rest.length; at += 1) {
    const low = rest[at] ?? '';
    const isRange = rest[at + 1] === '-' && at + 2 < rest.length;
    const high = isRange ? (rest[at + 2] ?? '') : low;
    if (high < low) return null;
    ranges.push([low, high]);
    if (isRange) at += 2;
  }
  if (ranges.length === 0) return null;
  return (one) => ranges.some(([low, high]) => one >= low && one <= high) !== inverted;
}

/** Only the last `*` is ever widened again, so the work is at most the product of the two lengths. */
function matchesParts(parts: readonly GlobPart[], name: readonly string[]): boolean {
  let part = 0;
  let at = 0;
  let starPart = -1;
  let starAt = 0;
  while (at < name.length) {
    const wanted = parts[part];
    if (wanted === 'any') {
      starPart = part;
      starAt = at;
      part += 1;
    } else if (wanted?.(name[at] ?? '')) {
      part += 1;
      at += 1;
    } else if (starPart >= 0) {
      starAt += 1;
      at = starAt;
      part = starPart + 1;
    } else return false;
  }
  while (parts[part] === 'any') part += 1;
  return part === parts.length;
}
