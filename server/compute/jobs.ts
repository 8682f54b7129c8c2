// The named jobs of the worker pool: what each takes, what it answers, how long it may run, and which inputs are so small that
// the calling thread runs them itself. Jobs are pure functions of plain data; they never do I/O. A new job is one entry here.

import { diffTexts, replacedText, type TextDiff } from '../core/merge/text-diff.ts';
import { type Merge, mergeFile, mergeLines } from '../core/merge/three-way-merge.ts';

export interface Jobs {
  /** The diff between two texts, for `git apply`. */
  readonly diff_lines: {
    readonly input: { readonly before: string; readonly after: string };
    readonly output: TextDiff;
  };
  /** The hunk that replaces a text by another, for texts whose comparison exceeds its time or memory. */
  readonly replace_text: {
    readonly input: { readonly before: string; readonly after: string };
    readonly output: string;
  };
  /** The three-way merge of texts. */
  readonly merge_lines: {
    readonly input: { readonly base: string; readonly mine: string; readonly theirs: string };
    readonly output: Merge;
  };
  /** The merged text of a file; null: a conflict. */
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
  /** true: it takes at most 10 ms for any input of this size, so the calling thread runs it. */
  isSmall(input: JobInput<Name>): boolean;
  /** The thread is ended when the job runs longer. */
  readonly timeLimitMs: number;
}

/**
 * Maximum size of all texts that the calling thread compares. The time grows with the square of the lines: 400 lines take at most
 * 5 ms for any content.
 */
const smallTextsCharacters = 64 * 1024;
const smallTextsLines = 400;
/** Counts bound the work of a comparison (core/merge/text-diff); the time limit is for a machine under load. */
const comparisonMsMax = 10_000;

export const jobs: { readonly [Name in JobName]: Job<Name> } = {
  diff_lines: {
    run: ({ before, after }) => diffTexts(before, after),
    isSmall: ({ before, after }) => areSmall([before, after]),
    timeLimitMs: comparisonMsMax,
  },
  replace_text: {
    run: ({ before, after }) => replacedText(before, after),
    isSmall: ({ before, after }) => before.length + after.length <= smallTextsCharacters,
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
