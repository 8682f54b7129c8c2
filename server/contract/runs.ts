// Runs: changes of a command, an agent or a person that are reviewed, committed wholly or in part, discarded, or undone as one.
import { type Static, Type } from 'typebox';
import { NextCursor, nothingElse, StagedRevision, Timestamp } from './common.ts';
import { SeenRevision } from './forks.ts';
import { FileDiff } from './history.ts';
import { Mirror } from './workspaces.ts';

const commandWordsMax = 256;
/** In one request. */
export const globsMax = 100;
const decisionsMax = 1000;

export const CreateRunBody = Type.Object(
  {
    name: Type.Optional(
      Type.String({ maxLength: 200, description: 'What the run is for.', examples: ['Rename the parser'] }),
    ),
    path: Type.Optional(
      Type.String({
        default: '/',
        maxLength: 4096,
        description: 'The directory of the workspace that the run works on.',
        examples: ['/docs'],
      }),
    ),
    command: Type.Optional(
      Type.Array(Type.String({ maxLength: 8192 }), {
        maxItems: commandWordsMax,
        description: 'The program and its arguments, for people: the agent does not execute it.',
      }),
    ),
  },
  nothingElse,
);
export type CreateRunBody = Static<typeof CreateRunBody>;

const RunCommit = Type.Object({
  batch: Type.String({
    description: 'Names its revisions in the history.',
    examples: ['batch_42'],
  }),
  at: Timestamp,
  writtenCount: Type.Integer({ minimum: 0 }),
  deletedCount: Type.Integer({ minimum: 0 }),
});

export const Run = Type.Object(
  {
    runId: Type.String({ examples: ['run_5f0c9a4e-8d5b-4c0e-9b7e-0d5c1f1e2a3b'] }),
    workspaceId: Type.String(),
    forkId: Type.String({
      description: 'Value of `forkId` in the query of the filesystem routes: the files of the run.',
      examples: ['fork_5f0c9a4e-8d5b-4c0e-9b7e-0d5c1f1e2a3b'],
    }),
    name: Type.String(),
    path: Type.String(),
    command: Type.Array(Type.String()),
    state: Type.Enum(['open', 'committed', 'discarded', 'undone', 'expired'], {
      description: '`expired`: it was open for 30 days, and its staged changes are deleted.',
    }),
    createdBy: Type.String({ description: 'The agent of the token.' }),
    createdAt: Timestamp,
    endedAt: Type.Union([Timestamp, Type.Null()]),
    expiresAt: Type.Union([Timestamp, Type.Null()], { description: 'Of an open run; null: it has ended.' }),
    writtenCount: Type.Integer({ description: 'Number of staged writes; 0 after the end.' }),
    deletedCount: Type.Integer({ description: 'Number of staged deletions; 0 after the end.' }),
    bytes: Type.Integer({ description: 'Bytes of the staged contents.' }),
    commits: Type.Array(RunCommit, { description: 'Its commits, oldest first.' }),
  },
  { $id: 'Run' },
);
export type Run = Static<typeof Run>;

export const RunList = Type.Object({ runs: Type.Array(Run), nextCursor: NextCursor }, { $id: 'RunList' });
export type RunList = Static<typeof RunList>;

export const RunSummary = Type.Object(
  {
    createdCount: Type.Integer({ minimum: 0 }),
    updatedCount: Type.Integer({ minimum: 0 }),
    deletedCount: Type.Integer({ minimum: 0 }),
    movedCount: Type.Integer({
      minimum: 0,
      description: 'Deleted files whose content a created file has; neither counts as created or deleted.',
    }),
    conflictCount: Type.Integer({ minimum: 0, description: 'Paths that the workspace has changed since.' }),
    addedLines: Type.Integer({ minimum: 0 }),
    removedLines: Type.Integer({ minimum: 0 }),
    linesComplete: Type.Boolean({
      description: 'false: the lines of some files are not counted: binary, large, or more than 500 files.',
    }),
    stagedRevision: StagedRevision,
  },
  { $id: 'RunSummary' },
);
export type RunSummary = Static<typeof RunSummary>;

const decisions = (run: string, workspace: string) =>
  Type.Optional(
    Type.Array(
      Type.Object(
        {
          path: Type.String({ maxLength: 4096 }),
          take: Type.Enum(['run', 'workspace'], {
            description: `\`run\`: ${run} \`workspace\`: ${workspace}`,
          }),
          revision: Type.Optional(
            Type.String({
              pattern: '^(0|rev_[1-9]\\d{0,14})$',
              description:
                'The `revision` of the listed conflict. If the workspace’s file has another one, the decision does not apply.',
            }),
          ),
        },
        nothingElse,
      ),
      { maxItems: decisionsMax, description: 'Decisions about conflicts.' },
    ),
  );

export const CommitRunBody = Type.Object(
  {
    paths: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 512 }), {
        minItems: 1,
        maxItems: globsMax,
        description:
          'Globs over paths: `*`, `?` and `**`; without a leading slash at any depth. A directory means all below it. Absent: all staged changes. The others stay staged.',
        examples: [['/docs/**']],
      }),
    ),
    decisions: decisions('the version of the run.', 'the version of the workspace.'),
    stagedRevision: Type.Optional(SeenRevision),
    keepFolder: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'true: the folder of the run is kept for 7 days, with the changes of ignored files that are not a part of the commit.',
      }),
    ),
  },
  nothingElse,
);
export type CommitRunBody = Static<typeof CommitRunBody>;

export const RunCommitted = Type.Object(
  {
    run: Run,
    revision: Type.String({ description: 'The newest revision after the commit.', examples: ['rev_43'] }),
    writtenCount: Type.Integer({ minimum: 0 }),
    deletedCount: Type.Integer({ minimum: 0 }),
    mergedPaths: Type.Array(Type.String(), {
      description: 'Files that the workspace had changed too: merged, or decided. Up to 1,000.',
    }),
    folderUnsynced: Type.Boolean({
      description:
        'true: the folder of the run has changes that are not part of the commit, because they are not synced. It is kept for 7 days.',
    }),
  },
  { $id: 'RunCommitted' },
);
export type RunCommitted = Static<typeof RunCommitted>;

export const UndoRunBody = Type.Object(
  {
    dryRun: Type.Optional(Type.Boolean({ default: false, description: 'true: nothing is changed.' })),
    decisions: decisions('the version before the run.', 'the version that the workspace has now.'),
  },
  nothingElse,
);
export type UndoRunBody = Static<typeof UndoRunBody>;

export const RunUndone = Type.Object(
  {
    run: Run,
    dryRun: Type.Boolean(),
    batch: Type.Union([Type.String({ examples: ['batch_44'] }), Type.Null()], {
      description: 'The change that undid the run; null: a dry run, or nothing was left to change.',
    }),
    createdCount: Type.Integer({ minimum: 0 }),
    updatedCount: Type.Integer({ minimum: 0 }),
    deletedCount: Type.Integer({ minimum: 0 }),
    mergedPaths: Type.Array(Type.String(), { description: 'Files that were changed since, merged.' }),
    keptPaths: Type.Array(Type.String(), {
      description: 'Files that were changed since and stay unchanged.',
    }),
  },
  { $id: 'RunUndone' },
);
export type RunUndone = Static<typeof RunUndone>;

export const RunFolderBody = Type.Object(
  {
    dir: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 4096,
        description:
          'Absolute path of an empty or missing folder. Absent: a folder in the data directory of the agent.',
      }),
    ),
  },
  nothingElse,
);
export type RunFolderBody = Static<typeof RunFolderBody>;

const CopiedFiles = Type.Object({
  from: Type.String({ description: 'Absolute path of the mirrored folder.' }),
  fileCount: Type.Integer({ minimum: 0 }),
  linkCount: Type.Integer({ minimum: 0 }),
  bytes: Type.Integer({ minimum: 0 }),
  sharesBlocks: Type.Boolean({
    description: 'true: the disk stores the contents once, and a copy takes no space until it changes.',
  }),
  skippedCount: Type.Integer({ minimum: 0 }),
  skipped: Type.Array(Type.Object({ path: Type.String(), reason: Type.String() }), {
    description: 'What is not copied, and why. Up to 10.',
  }),
});

export const RunFolder = Type.Object(
  {
    runId: Type.String(),
    dir: Type.String({ description: 'Absolute path. Its files are those of the run.' }),
    mirror: Mirror,
    copied: Type.Union([CopiedFiles, Type.Null()], {
      description:
        'Copies of files that no mirror syncs, for example of `.git` and of ignored files: for programs, and not a part of the changes. null: none, or not yet.',
    }),
  },
  { $id: 'RunFolder' },
);
export type RunFolder = Static<typeof RunFolder>;

export const RunFolderSyncBody = Type.Object(
  { timeoutMs: Type.Optional(Type.Integer({ minimum: 1, maximum: 3_600_000 })) },
  nothingElse,
);
export type RunFolderSyncBody = Static<typeof RunFolderSyncBody>;

export const RunFolderSynced = Type.Object(
  { settled: Type.Boolean(), folder: RunFolder },
  { $id: 'RunFolderSynced' },
);
export type RunFolderSynced = Static<typeof RunFolderSynced>;

const Mode = Type.Union([Type.String({ pattern: '^[0-7]{3,4}$', examples: ['644'] }), Type.Null()], {
  description: 'Permissions; null: no file, or a link.',
});

const IgnoredChange = Type.Object({
  path: Type.String({ examples: ['/.git/hooks/pre-commit'] }),
  type: Type.Enum(['created', 'updated', 'deleted']),
  kind: Type.Enum(['file', 'link']),
  size: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], { description: 'Bytes; null: deleted.' }),
  modeBefore: Mode,
  mode: Mode,
  liveChanged: Type.Boolean({
    description: 'true: the mirrored folder has something else at this path now than what was copied.',
  }),
  diff: Type.Optional(
    Type.Object(
      { kind: FileDiff.properties.kind, patch: Type.Optional(Type.String()) },
      {
        description:
          'With `patch=true`: from what was copied to what is there now. Absent where the mirrored folder has changed, so that the former text is not known.',
      },
    ),
  ),
});

export type IgnoredChange = Static<typeof IgnoredChange>;

export const IgnoredChanges = Type.Object(
  {
    createdCount: Type.Integer({ minimum: 0 }),
    updatedCount: Type.Integer({ minimum: 0 }),
    deletedCount: Type.Integer({ minimum: 0 }),
    changes: Type.Array(IgnoredChange, { description: 'In the byte order of paths.' }),
    nextCursor: NextCursor,
  },
  { $id: 'IgnoredChanges' },
);
export type IgnoredChanges = Static<typeof IgnoredChanges>;

/** An item of `details.conflicts` of `run_conflict`. */
export interface RunConflict {
  readonly path: string;
  /** Of the workspace's file; `0`: there is none. */
  readonly revision: string;
  readonly reason: string;
}
