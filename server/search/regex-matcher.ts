// Matches of a regular expression within one line, by an engine that never backtracks.
import { RE2JS } from 're2js';
import { foldCase } from './fold.ts';
import { planOf } from './index-plan.ts';
import { lineRangesMax, regexLineCharactersMax, regexProgramMax } from './limits.ts';
import type { IndexPlan, Matcher, Range } from './matcher.ts';
import { scoreOf } from './score.ts';
import { SearchQueryError } from './search-query.ts';

/** What a match of an expression contains, as the engine derives it for itself. */
interface Required {
  readonly type: number;
  readonly str: string | null;
  readonly subs: readonly Required[];
}

/** The engine's numbers of the kinds (test/search/matchers.test.ts). */
const requiredKinds = { exact: 1, and: 2, or: 3 } as const;
/** Alternatives of an expression that are looked up. */
const alternativesMax = 32;

/** Throws a SearchQueryError. */
export function regexMatcher(q: string, caseSensitive: boolean): Matcher {
  const expression = compile(q, caseSensitive ? 0 : RE2JS.CASE_INSENSITIVE);
  if (expression.programSize() > regexProgramMax)
    throw new SearchQueryError('q is too complex for an expression: use smaller repeat counts');
  const required = requiredOf(compile(q, 0));
  const linesWith = requiredLines(required);
  function* ranges(text: string): Generator<Range, undefined> {
    for (const [from, end] of linesWith(text)) yield* rangesInLine(expression, lineOf(text, from, end), from);
  }
  return {
    plan: requiredPlan(required),
    compared: (text) => text,
    score: (text) => scoreOf(ranges(text), text.length),
    ranges,
  };
}

function compile(q: string, flags: number): RE2JS {
  try {
    return RE2JS.compile(q, flags);
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    // Without the name of the parser, and without the flag that this module adds.
    const shown = cause.replace(/^error parsing regexp: /, '').replace('`(?i)', '`');
    throw new SearchQueryError(`q is not a valid expression: ${shown}`);
  }
}

function lineOf(text: string, from: number, end: number): string {
  const last = text.charCodeAt(end - 1) === 13 && end > from ? end - 1 : end;
  return text.slice(from, Math.min(last, from + regexLineCharactersMax));
}

function* rangesInLine(expression: RE2JS, line: string, offset: number): Generator<Range, undefined> {
  if (!expression.test(line)) return;
  const matcher = expression.matcher(line);
  // Each of them may read the rest of the line.
  for (let found = 0; found < lineRangesMax && matcher.find(); found += 1) {
    const start = matcher.start();
    const end = matcher.end();
    yield [offset + start, offset + end];
  }
}

/** The lines of a text that can have a match: those with the characters that each match contains, without case. The engine takes many times as
 * long for a line. */
function requiredLines(required: Required | null): (text: string) => Generator<Range, undefined> {
  const all = required === null ? [] : textsOf(required);
  const [longest] = all.toSorted((left, right) => right.length - left.length);
  return function* lines(text: string): Generator<Range, undefined> {
    const folded = longest === undefined ? text : foldCase(text);
    for (let from = 0; from <= text.length; ) {
      const at = longest === undefined ? from : folded.indexOf(longest, from);
      if (at === -1) return;
      const start = at === from ? from : Math.max(from, text.lastIndexOf('\n', at - 1) + 1);
      const lineEnd = text.indexOf('\n', at);
      const end = lineEnd === -1 ? text.length : lineEnd;
      const line = all.length < 2 ? '' : folded.slice(start, end);
      if (all.length < 2 || all.every((one) => line.includes(one))) yield [start, end];
      from = end + 1;
    }
  };
}

/** What each match contains, without case: of alternatives nothing. */
function textsOf({ type, str, subs }: Required): readonly string[] {
  if (type === requiredKinds.exact) return str === null || str === '' ? [] : [foldCase(str)];
  return type === requiredKinds.and ? subs.flatMap(textsOf) : [];
}

function requiredOf(expression: RE2JS): Required | null {
  const { prefilter } = expression.re2() as { readonly prefilter?: Required | null };
  return prefilter ?? null;
}

/** null: nothing is required that the index contains. */
function requiredPlan(required: Required | null): IndexPlan | null {
  if (required === null) return null;
  if (required.type === requiredKinds.exact) return required.str === null ? null : planOf(required.str);
  if (required.type !== requiredKinds.and && required.type !== requiredKinds.or) return null;
  const isOr = required.type === requiredKinds.or;
  if (isOr && required.subs.length > alternativesMax) return null;
  const parts = required.subs.map(requiredPlan);
  const words = joined(
    parts.map((part) => part?.words ?? null),
    isOr,
  );
  const trigrams = joined(
    parts.map((part) => part?.trigrams ?? null),
    isOr,
  );
  return words === null && trigrams === null ? null : { words, trigrams };
}

/** An alternative of which nothing is known may be any text. */
function joined(parts: readonly (string | null)[], isOr: boolean): string | null {
  const known = parts.filter((part) => part !== null);
  if (known.length === 0 || (isOr && known.length < parts.length)) return null;
  return known.map((part) => `(${part})`).join(isOr ? ' OR ' : ' AND ');
}
