// Tools of the MCP server: names, descriptions, hints, and the schemas of their arguments and results. Plain objects without unions, because
// clients flatten or refuse those.
import { type Static, type TSchema, Type } from 'typebox';

const path = Type.String({ description: 'Absolute' });
const text = Type.String();
const whole = Type.Integer();
const flag = Type.Boolean();
const optional = <Schema extends TSchema>(schema: Schema) => Type.Optional(schema);
const baseRevision = Type.Optional(
  Type.String({
    // Of a file of the workspace, or of one that is staged in a run.
    pattern: '^(0|\\*|rev_[0-9]{1,15}|fork:fork_[0-9a-f-]{1,40}:[0-9]{1,15})$',
    description: '`revision` that you read; 0: must be new; *: any',
  }),
);
const dryRun = Type.Optional(Type.Boolean());
const confirm = Type.Optional(Type.Boolean({ description: 'More than 20 files' }));
const maxCharacters = Type.Optional(Type.Integer({ minimum: 100, maximum: 40_000, default: 10_000 }));
const runId = Type.Optional(Type.String({ maxLength: 100 }));
const cursor = Type.Optional(Type.String({ maxLength: 5000 }));
const closed = { additionalProperties: false } as const;
const paths = Type.Array(text);

export interface ToolSpec<Input extends TSchema = TSchema, Output extends TSchema = TSchema> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Input;
  readonly output: Output;
  /** Reads only, or how it changes the workspace. */
  readonly effect: 'reads' | 'writes' | 'replaces' | 'replaces-again';
}

function spec<Input extends TSchema, Output extends TSchema>(
  tool: ToolSpec<Input, Output>,
): ToolSpec<Input, Output> {
  return tool;
}

export const listFilesSpec = spec({
  name: 'list_files',
  title: 'List files',
  description: 'List files and folders below a path, in path order.',
  input: Type.Object(
    {
      path: optional(Type.String({ description: 'Default: all' })),
      runId,
      depth: optional(Type.Integer({ minimum: 1, maximum: 100, default: 3 })),
      cursor,
      maxCharacters,
    },
    closed,
  ),
  output: Type.Object({
    path: text,
    entries: Type.Array(
      Type.Object({ path: text, type: text, revision: optional(text), size: optional(whole) }),
    ),
    truncated: flag,
    nextCursor: optional(text),
  }),
  effect: 'reads',
});

export const readFileSpec = spec({
  name: 'read_file',
  title: 'Read a file',
  description:
    'Read a text file, or lines of it. Pass its `revision` as baseRevision when you write. Continue at nextLine. Of a binary file: size, type and sha256.',
  input: Type.Object(
    {
      path,
      runId,
      revision: optional(Type.String({ description: 'From history' })),
      startLine: optional(Type.Integer({ minimum: 1 })),
      lineCount: optional(Type.Integer({ minimum: 1 })),
      startCharacter: optional(Type.Integer({ minimum: 0, description: 'In startLine; `nextCharacter`' })),
      includeBytes: optional(Type.Boolean({ description: 'Binary: base64' })),
      maxCharacters,
    },
    closed,
  ),
  output: Type.Object({
    path: text,
    revision: text,
    size: whole,
    binary: flag,
    contentType: optional(text),
    content: optional(text),
    base64: optional(text),
    sha256: optional(text),
    startLine: optional(whole),
    totalLines: optional(whole),
    truncated: flag,
    nextLine: optional(whole),
    nextCharacter: optional(whole),
  }),
  effect: 'reads',
});

const change = {
  path: text,
  dryRun: flag,
  revision: optional(text),
  baseRevision: optional(text),
  diff: optional(text),
  conflict: optional(text),
  truncated: flag,
};

export const writeFileSpec = spec({
  name: 'write_file',
  title: 'Write a file',
  description:
    'Write a whole file. Without baseRevision only a new one; to replace one, read it first. edit_file changes a part. restore undoes.',
  input: Type.Object(
    {
      path,
      content: text,
      base64: optional(Type.Boolean({ description: '`content` is base64' })),
      contentType: optional(text),
      baseRevision,
      runId,
      dryRun,
    },
    closed,
  ),
  output: Type.Object(change),
  effect: 'replaces-again',
});

export const editFileSpec = spec({
  name: 'edit_file',
  title: 'Edit a file',
  description:
    'Replace exact texts of a file, in order. Each oldText must occur exactly once, with its whitespace. Answers a diff.',
  input: Type.Object(
    {
      path,
      edits: Type.Array(Type.Object({ oldText: Type.String({ minLength: 1 }), newText: text }, closed), {
        minItems: 1,
        maxItems: 100,
      }),
      baseRevision,
      runId,
      dryRun,
    },
    closed,
  ),
  output: Type.Object(change),
  effect: 'replaces',
});

const many = {
  dryRun: flag,
  count: whole,
  paths,
  truncated: flag,
  conflict: optional(text),
  revision: optional(text),
};

export const moveFileSpec = spec({
  name: 'move_file',
  title: 'Move files',
  description:
    'Move a file or a folder as one change. The target must not exist, unless you pass its baseRevision.',
  input: Type.Object({ from: path, to: path, baseRevision, runId, dryRun, confirm }, closed),
  output: Type.Object({ from: text, to: text, ...many }),
  effect: 'replaces',
});

export const deleteFileSpec = spec({
  name: 'delete_file',
  title: 'Delete files',
  description: 'Delete a file or a folder as one change. restore brings them back.',
  input: Type.Object({ path, baseRevision, runId, dryRun, confirm }, closed),
  output: Type.Object({ path: text, ...many }),
  effect: 'replaces-again',
});

export const searchSpec = spec({
  name: 'search',
  title: 'Search files',
  description:
    'Find files by content or name, best first. `text`: all words and "phrases", word* is a prefix. `literal`: a substring. `regex`: RE2, within a line. `name`: parts of a path.',
  input: Type.Object(
    {
      query: Type.String({ minLength: 1, maxLength: 1000 }),
      mode: optional(Type.String({ enum: ['text', 'literal', 'regex', 'name'], default: 'text' })),
      path: optional(Type.String({ description: 'Default: all' })),
      glob: optional(Type.String({ description: 'E.g. src/**/*.ts' })),
      caseSensitive: optional(flag),
      context: optional(Type.Integer({ minimum: 0, maximum: 10, description: 'Lines around a match' })),
      runId,
      cursor,
      maxCharacters,
    },
    closed,
  ),
  output: Type.Object({
    files: Type.Array(
      Type.Object({
        path: text,
        revision: text,
        matches: Type.Array(
          Type.Object({
            line: whole,
            text,
            before: optional(Type.Array(text)),
            after: optional(Type.Array(text)),
          }),
        ),
        moreMatches: flag,
      }),
    ),
    truncated: flag,
    nextCursor: optional(text),
    incomplete: optional(text),
  }),
  effect: 'reads',
});

export const historySpec = spec({
  name: 'history',
  title: 'Show history',
  description:
    'List the changes of a path, newest first. With `diff` also what changed between `from` and `to` (default: the newest change).',
  input: Type.Object(
    {
      path,
      below: optional(Type.Boolean({ description: 'Also files below' })),
      diff: optional(flag),
      from: optional(text),
      to: optional(text),
      cursor,
      maxCharacters,
    },
    closed,
  ),
  output: Type.Object({
    path: text,
    entries: Type.Array(
      Type.Object({
        revision: text,
        path: text,
        action: text,
        actor: text,
        client: optional(text),
        at: text,
        batch: text,
        size: whole,
        correlationId: text,
      }),
    ),
    diff: optional(text),
    diffKind: optional(text),
    truncated: flag,
    nextCursor: optional(text),
  }),
  effect: 'reads',
});

export const restoreSpec = spec({
  name: 'restore',
  title: 'Restore files',
  description:
    'Bring a past state of a path back, as a new change. Pass one of revision, at (a time), batch (undoes that change).',
  input: Type.Object(
    { path, revision: optional(text), at: optional(text), batch: optional(text), dryRun, confirm },
    closed,
  ),
  output: Type.Object({
    dryRun: flag,
    batch: optional(text),
    created: whole,
    updated: whole,
    deleted: whole,
    paths,
    truncated: flag,
  }),
  effect: 'replaces',
});

export const waitForChangesSpec = spec({
  name: 'wait_for_changes',
  title: 'Wait for changes',
  description:
    'Wait until files change or the time is over. Call it again with the cursor of the answer: nothing is missed. timeoutSeconds 0 answers at once.',
  input: Type.Object(
    {
      cursor: optional(Type.String({ pattern: '^evt_[0-9]{1,15}$', description: 'Default: from now' })),
      timeoutSeconds: optional(Type.Integer({ minimum: 0, maximum: 50, default: 25 })),
      paths: optional(Type.Array(text, { maxItems: 16, description: 'These and below' })),
    },
    closed,
  ),
  output: Type.Object({
    changes: Type.Array(
      Type.Object({ path: text, type: text, revision: text, at: text, eventId: text, own: flag }),
    ),
    cursor: text,
    timedOut: flag,
  }),
  effect: 'reads',
});

const count = optional(whole);

export const changesSpec = spec({
  name: 'changes',
  title: 'Changes of a run',
  description:
    'Work that a person reviews first. begin answers a runId: pass it to the file tools, and the workspace does not change. show lists what is staged, commit applies it as one change, discard drops it. restore with a batch undoes a commit.',
  input: Type.Object(
    {
      action: Type.String({ enum: ['begin', 'show', 'commit', 'discard'] }),
      runId: optional(Type.String({ maxLength: 100, description: 'Of begin' })),
      name: optional(Type.String({ maxLength: 200, description: 'begin: what it is for' })),
      diff: optional(Type.Boolean({ description: 'show: with patches' })),
      paths: optional(
        Type.Array(Type.String({ minLength: 1, maxLength: 512 }), {
          minItems: 1,
          maxItems: 100,
          description: 'commit: only these globs',
        }),
      ),
      decisions: optional(
        Type.Array(
          Type.Object(
            {
              path: text,
              take: Type.String({ enum: ['run', 'workspace'] }),
              revision: optional(Type.String({ pattern: '^(0|rev_[1-9][0-9]{0,14})$' })),
            },
            closed,
          ),
          { maxItems: 1000, description: 'commit: of run_conflict' },
        ),
      ),
      confirm,
      cursor,
      maxCharacters,
    },
    closed,
  ),
  output: Type.Object({
    runId: text,
    state: text,
    name: text,
    summary: optional(
      Type.Object({
        created: whole,
        updated: whole,
        deleted: whole,
        moved: whole,
        conflicts: whole,
        addedLines: whole,
        removedLines: whole,
      }),
    ),
    changes: Type.Array(
      Type.Object({
        path: text,
        type: text,
        conflict: flag,
        diff: optional(text),
        diffTruncated: optional(flag),
      }),
    ),
    batches: optional(Type.Array(text)),
    revision: optional(text),
    written: count,
    removed: count,
    merged: optional(paths),
    truncated: flag,
    nextCursor: optional(text),
  }),
  effect: 'replaces',
});

export const statusSpec = spec({
  name: 'status',
  title: 'Show status',
  description:
    'Show what you may do, and the state of mirrors, conflicts, dead letters and pending writeback. `unavailable`: not for you.',
  input: Type.Object({}, closed),
  output: Type.Object({
    workspaceId: text,
    readOnly: flag,
    mayRead: paths,
    cursor: text,
    mirrors: optional(Type.Array(Type.Object({ path: text, mode: text, state: text }))),
    conflicts: optional(whole),
    conflictPaths: optional(paths),
    deadLetters: optional(whole),
    pendingWriteback: optional(whole),
    unavailable: Type.Array(Type.Object({ part: text, code: text })),
  }),
  effect: 'reads',
});

export type InputOf<Spec extends ToolSpec> = Static<Spec['input']>;
export type OutputOf<Spec extends ToolSpec> = Static<Spec['output']>;
