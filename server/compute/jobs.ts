// The named jobs of the worker pool: what each takes, what it answers, how long it may run, and which inputs are so small that
// the calling thread runs them itself. Jobs are pure functions of plain data; they never do I/O. A new job is one entry here.

import { diffTexts, type TextDiff } from '../core/merge/text-diff.ts';
import { type Merge, mergeFile, mergeLines } from '../core/merge/three-way-merge.ts';

export interface Jobs {
  /** What leads from one text to another, for `git apply`. */
  readonly diff_lines: {
    readonly input: { readonly before: string; readonly after: string };
    readonly output: TextDiff;
  };
  /** The three-way merge of texts. */
  readonly merge_lines: {
    readonly input: { readonly base: string; readonly mine: string; readonly theirs: string };
    readonly output: Merge;
  };
  /** The merged text of a file; null: a person must decide. */
  readonly merge_file: {
    readonly input: {
      readonly path: string;
      readonly base: string;
      readonly mine: string;
      readonly theirs: string;
    };
    readonly output: string | null;
  };
}

export type JobName = keyof Jobs;
export type JobInput<Name extends JobName> = Jobs[Name]['input'];
export type JobOutput<Name extends JobName> = Jobs[Name]['output'];

export interface Job<Name extends JobName> {
  run(input: JobInput<Name>): JobOutput<Name>;
  /** true: it ends within 10 ms whatever the input holds, so the calling thread runs it. */
  isSmall(input: JobInput<Name>): boolean;
  /** Its thread is ended when it runs longer. */
  readonly timeLimitMs: number;
}

/**
 * Of all texts of a comparison together: so much the calling thread compares itself. The time grows with the square of the lines: 400
 * take 5 ms at most, whatever they contain.
 */
const smallTextsCharacters = 64 * 1024;
const smallTextsLines = 400;
/** Milliseconds of a comparison. Its work is bounded by counts (core/line-diff); this is for a machine under load. */
const comparisonMsMax = 10_000;

export const jobs: { readonly [Name in JobName]: Job<Name> } = {
  diff_lines: {
    run: ({ before, after }) => diffTexts(before, after),
    isSmall: ({ before, after }) => areSmall([before, after]),
    timeLimitMs: comparisonMsMax,
  },
  merge_lines: {
    run: ({ base, mine, theirs }) => mergeLines(base, mine, theirs),
    isSmall: ({ base, mine, theirs }) => areSmall([base, mine, theirs]),
    timeLimitMs: comparisonMsMax,
  },
  merge_file: {
    run: ({ path, base, mine, theirs }) => mergeFile(path, base, mine, theirs),
    isSmall: ({ base, mine, theirs }) => areSmall([base, mine, theirs]),
    timeLimitMs: comparisonMsMax,
  },
};

function areSmall(texts: readonly string[]): boolean {
  if (texts.reduce((sum, text) => sum + text.length, 0) > smallTextsCharacters) return false;
  let lines = 0;
  for (const text of texts) {
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', end + 1)) lines += 1;
  }
  return lines <= smallTextsLines;
}
