// The named jobs of the worker pool: what each takes, what it answers, how long it may run, and which inputs are so small that
// the calling thread runs them itself. Jobs are pure functions of plain data; they never do I/O. A new job is one entry here.
import { type Merge, mergeFile, mergeLines } from '../core/merge.ts';
import { unifiedHunks } from '../core/text-diff.ts';
import { isNestedTooDeep } from '../platform/json-nesting.ts';

export interface Jobs {
  /** What leads from one text to another, for `git apply`. null: too large, or they differ nearly everywhere. */
  readonly diff_lines: {
    readonly input: { readonly before: string; readonly after: string };
    readonly output: string | null;
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
  /** The value of a JSON text. The answer is copied to the calling thread, which costs about as much as small texts to parse. */
  readonly parse_json: { readonly input: { readonly bytes: Uint8Array }; readonly output: ParsedJson };
}

export type ParsedJson =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly reason: 'not_utf8' | 'syntax' | 'too_deep' };

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

/** Characters of all texts of a comparison together that the calling thread compares itself. */
const smallTextsCharacters = 8 * 1024;
/** Bytes of a JSON text that the calling thread parses itself. */
const smallJsonBytes = 64 * 1024;

export const jobs: { readonly [Name in JobName]: Job<Name> } = {
  diff_lines: {
    run: ({ before, after }) => unifiedHunks(before, after),
    isSmall: ({ before, after }) => before.length + after.length <= smallTextsCharacters,
    timeLimitMs: 2_000,
  },
  merge_lines: {
    run: ({ base, mine, theirs }) => mergeLines(base, mine, theirs),
    isSmall: ({ base, mine, theirs }) => base.length + mine.length + theirs.length <= smallTextsCharacters,
    timeLimitMs: 2_000,
  },
  merge_file: {
    run: ({ path, base, mine, theirs }) => mergeFile(path, base, mine, theirs),
    isSmall: ({ base, mine, theirs }) => base.length + mine.length + theirs.length <= smallTextsCharacters,
    timeLimitMs: 2_000,
  },
  parse_json: {
    run: ({ bytes }) => parseJson(bytes),
    isSmall: ({ bytes }) => bytes.byteLength <= smallJsonBytes,
    timeLimitMs: 10_000,
  },
};

function parseJson(bytes: Uint8Array): ParsedJson {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    // A TypeError is how the decoder reports bytes that are not UTF-8.
    return { ok: false, reason: 'not_utf8' };
  }
  try {
    const value: unknown = JSON.parse(text);
    return isNestedTooDeep(value, bytes.byteLength) ? { ok: false, reason: 'too_deep' } : { ok: true, value };
  } catch {
    // A SyntaxError is how the parser reports a text that is not JSON.
    return { ok: false, reason: 'syntax' };
  }
}
