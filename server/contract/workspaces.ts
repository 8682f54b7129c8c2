// Workspaces, tokens and mirrors.
import { type Static, Type } from 'typebox';
import { NextCursor, nothingElse, Revision, Timestamp } from './common.ts';
import { MirrorProof } from './proof.ts';
import { mirrorModes } from './words.ts';

export const Workspace = Type.Object(
  {
    workspaceId: Type.String({ examples: ['rw_a1b2c3d4'] }),
    name: Type.String(),
    createdAt: Timestamp,
    deletedAt: Type.Optional(Timestamp),
    files: Type.Integer(),
  },
  { $id: 'Workspace' },
);
export type Workspace = Static<typeof Workspace>;
export const WorkspaceList = Type.Object({ workspaces: Type.Array(Workspace) }, { $id: 'WorkspaceList' });
export type WorkspaceList = Static<typeof WorkspaceList>;
export const WorkspaceCreateBody = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 200 }),
  workspaceId: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9_-]{0,255}$' })),
});
export const WorkspaceRenameBody = Type.Object({ name: Type.String({ minLength: 1, maxLength: 200 }) });

export const AccessToken = Type.Object(
  {
    tokenId: Type.String(),
    workspaceId: Type.String(),
    agent: Type.String(),
    scopes: Type.Array(Type.String()),
    createdAt: Timestamp,
    expiresAt: Timestamp,
    revokedAt: Type.Optional(Timestamp),
    deletesPerMinute: Type.Optional(Type.Integer()),
    lastUsedAt: Type.Optional(Timestamp),
    forkId: Type.Optional(Type.String({ description: 'The only fork that it may read and write.' })),
    user: Type.Optional(
      Type.String({
        description: 'Name of the user whose personal token it is; absent: it belongs to no user.',
      }),
    ),
  },
  { $id: 'AccessToken' },
);
export type AccessToken = Static<typeof AccessToken>;
export const AccessTokenList = Type.Object({ tokens: Type.Array(AccessToken) }, { $id: 'AccessTokenList' });
export type AccessTokenList = Static<typeof AccessTokenList>;
export const AccessTokenCreateBody = Type.Object({
  agent: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$' })),
  scopes: Type.Optional(Type.Array(Type.String({ minLength: 1 }), { minItems: 1, maxItems: 64 })),
  path: Type.Optional(
    Type.String({ description: 'A path glob; grants reading and writing of matching files.' }),
  ),
  ttlSeconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 315_360_000 })),
  deletesPerMinute: Type.Optional(Type.Integer({ minimum: 1 })),
  forkId: Type.Optional(
    Type.String({
      description: 'An open fork. The token may do nothing but read and write files of this fork.',
    }),
  ),
});
export type AccessTokenCreateBody = Static<typeof AccessTokenCreateBody>;
/** The only response with the token itself, which is never stored. */
export const AccessTokenCreated = Type.Object(
  { token: Type.String(), accessToken: AccessToken },
  { $id: 'AccessTokenCreated' },
);
export type AccessTokenCreated = Static<typeof AccessTokenCreated>;

export const mirrorStates = ['scanning', 'syncing', 'idle', 'paused', 'halted', 'error'] as const;
export type MirrorState = (typeof mirrorStates)[number];

/** A path that needs attention: cause, next step and retry time. */
export const MirrorProblem = Type.Object({
  kind: Type.String({
    examples: [
      'conflict',
      'unreadable',
      'symlink',
      'other_disk',
      'special_file',
      'name',
      'too_large',
      'write_failed',
    ],
  }),
  path: Type.String(),
  cause: Type.String(),
  next: Type.String(),
  retryAt: Type.Union([Timestamp, Type.Null()], { description: 'null: no automatic retry.' }),
});
export type MirrorProblem = Static<typeof MirrorProblem>;

/** All problems of one cause. */
const MirrorProblemGroup = Type.Object({
  kind: Type.String({ description: 'As in `problemList`.', examples: ['symlink'] }),
  count: Type.Integer(),
  listed: Type.Integer({
    description: 'Number that `GET .../problems` lists: at most 5,000 of each cause.',
  }),
  summary: Type.String({
    examples: ['3,936 symbolic links are not synced; largest: share/zoneinfo (1,790)'],
  }),
  next: Type.Union([Type.String(), Type.Null()], { description: 'null: it differs among them.' }),
  directories: Type.Array(
    Type.Object({
      path: Type.String(),
      count: Type.Integer({
        description:
          'Number in the directory and its descendants, without those of the directories listed before.',
      }),
    }),
    { description: 'The directories with most of them, at most 5; empty for a single problem.' },
  ),
});
export type MirrorProblemGroup = Static<typeof MirrorProblemGroup>;
export const MirrorProblems = Type.Object(
  {
    mirrorId: Type.String(),
    count: Type.Integer({ description: 'Number of all problems, or of the requested cause.' }),
    items: Type.Array(MirrorProblem, { description: 'In the order of causes and paths.' }),
    nextCursor: NextCursor,
  },
  { $id: 'MirrorProblems' },
);
export type MirrorProblems = Static<typeof MirrorProblems>;

export const haltReasons = [
  'root_missing',
  'root_not_directory',
  'root_unreadable',
  'root_replaced',
  'emptied',
  'mass_delete',
  'delete_rate',
] as const;
export type HaltReason = (typeof haltReasons)[number];

/** Why a mirror is halted, and its pending deletions. */
const MirrorHalt = Type.Object({
  reason: Type.Enum([...haltReasons]),
  cause: Type.String(),
  next: Type.String(),
  deletes: Type.Integer({
    description:
      'Number of files that would be deleted or truncated in the workspace. Above 0 only for `emptied`, `mass_delete`, `delete_rate` and `root_replaced`.',
  }),
  truncations: Type.Integer({
    description:
      'The truncated files in `deletes`: now empty, or smaller by more than 90 % of at least 4 KiB.',
  }),
  answers: Type.Array(Type.Enum(['restore', 'delete']), {
    description: 'Possible resolutions. For other halts: put the folder back, or resume.',
  }),
});

/** Progress of a scan or of the transfer of many files. null: unknown. */
const MirrorProgress = Type.Object({
  phase: Type.Enum(['scanning', 'syncing'], {
    description: '`scanning`: reading the folder. `syncing`: transferring files.',
  }),
  unit: Type.Literal('files'),
  done: Type.Integer(),
  total: Type.Union([Type.Integer(), Type.Null()], { description: 'null: the scan is not finished.' }),
  bytesDone: Type.Integer(),
  bytesTotal: Type.Union([Type.Integer(), Type.Null()]),
  filesPerSecond: Type.Union([Type.Number(), Type.Null()], {
    description: 'Average of the last 10 seconds.',
  }),
  bytesPerSecond: Type.Union([Type.Number(), Type.Null()]),
  leftMs: Type.Union([Type.Integer(), Type.Null()], {
    description: 'Estimated remaining milliseconds; null: unknown.',
  }),
});

export const Mirror = Type.Object(
  {
    mirrorId: Type.String(),
    workspaceId: Type.String(),
    dir: Type.String(),
    mode: Type.Enum([...mirrorModes], {
      description:
        '`to-workspace`: never writes the folder. `to-folder`: never writes the workspace, and downloads files read-only.',
    }),
    path: Type.String({ description: 'The mirrored directory of the workspace.' }),
    state: Type.Enum([...mirrorStates]),
    pausedUntil: Type.Union([Timestamp, Type.Null()], {
      description: 'When the pause ends; null: not paused, or paused until resumed.',
    }),
    watch: Type.Enum(['events', 'polling']),
    files: Type.Integer(),
    pendingLocal: Type.Integer(),
    pendingRemote: Type.Integer(),
    conflicts: Type.Integer(),
    kept: Type.Integer({
      description: 'One-way mirrors: number of local-only files.',
    }),
    problems: Type.Integer(),
    problemList: Type.Array(MirrorProblem, {
      description: 'At most 100, with some of each cause. `GET .../problems` lists all.',
    }),
    problemGroups: Type.Array(MirrorProblemGroup, {
      description: 'All problems and conflicts by cause; those that need an action first, then by number.',
    }),
    warnings: Type.Array(MirrorProblem, {
      description:
        'Possibly unintended syncs: `secrets` for files that look like secrets, and `rules_changed` for each rule file that was changed outside the folder within a week.',
    }),
    lastSyncAt: Type.Union([Timestamp, Type.Null()]),
    fullScan: Type.Object(
      {
        lastAt: Type.Union([Timestamp, Type.Null()], { description: 'null: none since the agent started.' }),
        nextAt: Type.Union([Timestamp, Type.Null()], {
          description: 'null: the mirror is stopped. An event that may be lost makes it run earlier.',
        }),
        cpuMs: Type.Union([Type.Null(), Type.Integer()], { description: 'Processor time of the last one.' }),
      },
      {
        description:
          'Scan of the whole folder. It finds changes that file watching does not report; its interval follows from its cost.',
      },
    ),
    deletesPerMinuteMax: Type.Integer({
      description: 'Deletion limit per minute: more deletions and truncations in the folder halt the mirror.',
    }),
    halt: Type.Union([Type.Null(), MirrorHalt]),
    progress: Type.Union([Type.Null(), MirrorProgress], {
      description: 'null: no long operation is running.',
    }),
    proof: MirrorProof,
  },
  { $id: 'Mirror' },
);
export type Mirror = Static<typeof Mirror>;

export const MirrorPauseBody = Type.Object(
  {
    until: Type.Optional(
      Type.String({
        format: 'date-time',
        description:
          'When the mirror resumes, also after a restart: within 366 days. Omitted: when it is resumed.',
        examples: ['2026-11-20T12:11:50Z'],
      }),
    ),
  },
  nothingElse,
);
export type MirrorPauseBody = Static<typeof MirrorPauseBody>;
export const HeldDeletions = Type.Object(
  {
    mirrorId: Type.String(),
    halt: Type.Union([Type.Null(), MirrorHalt], { description: 'null: not halted.' }),
    items: Type.Array(
      Type.Object({
        path: Type.String(),
        revision: Revision,
        change: Type.Enum(['deletion', 'truncation'], {
          description: '`truncation`: the file exists in the folder with almost no content.',
        }),
        size: Type.Integer({ description: 'Bytes in the workspace.' }),
        sizeAfter: Type.Union([Type.Integer(), Type.Null()], {
          description: 'Bytes after the change; null: the file would be deleted.',
        }),
      }),
    ),
    nextCursor: NextCursor,
  },
  { $id: 'HeldDeletions' },
);
export type HeldDeletions = Static<typeof HeldDeletions>;
export const HaltAnswerBody = Type.Object({
  answer: Type.Enum(['restore', 'delete'], {
    description:
      '`restore`: downloads missing and truncated files from the workspace. `delete`: deletes or truncates the files in the workspace; their contents remain in its history.',
  }),
  deletes: Type.Optional(
    Type.Integer({
      minimum: 1,
      description:
        'With `delete`: the number of listed files. If it has changed: 409, and nothing is deleted.',
    }),
  ),
});
export type HaltAnswerBody = Static<typeof HaltAnswerBody>;
export const MirrorChangeBody = Type.Object({
  deletesPerMinuteMax: Type.Union([Type.Integer({ minimum: 1, maximum: 1_000_000 }), Type.Null()], {
    description: 'null: the default, 1,000.',
  }),
});
export type MirrorChangeBody = Static<typeof MirrorChangeBody>;
export const RulePreviewBody = Type.Object({
  rules: Type.String({
    maxLength: 1_048_576,
    description: 'The complete `.mooringignore` at the root of the folder; empty: no rules.',
  }),
});
export type RulePreviewBody = Static<typeof RulePreviewBody>;
const RulePaths = Type.Object({
  count: Type.Integer(),
  paths: Type.Array(Type.String(), {
    description: 'Relative to the mirrored directory.',
  }),
});
export const RulePreview = Type.Object(
  {
    looked: Type.Integer({ description: 'Number of examined files of both sides.' }),
    leftOut: RulePaths,
    carried: RulePaths,
    fault: Type.Optional(
      Type.String({
        description:
          'Why these rules are invalid: a rule file has at most 1,000 rules and 65,536 characters. With invalid rules nothing is synced or deleted.',
      }),
    ),
  },
  {
    $id: 'RulePreview',
    description:
      '`leftOut`: synced now, ignored then; they remain on both sides. `carried`: ignored now, synced then, if they are in the workspace.',
  },
);
export type RulePreview = Static<typeof RulePreview>;
export const MirrorList = Type.Object({ mirrors: Type.Array(Mirror) }, { $id: 'MirrorList' });
export type MirrorList = Static<typeof MirrorList>;
export const MirrorCreateBody = Type.Object({
  dir: Type.String({ minLength: 1, maxLength: 4096 }),
  mode: Type.Optional(Type.Enum([...mirrorModes], { description: 'Default: `two-way`.' })),
  path: Type.Optional(
    Type.String({
      maxLength: 4096,
      description: 'A directory of the workspace; default: the whole workspace.',
    }),
  ),
  acceptCloudFolder: Type.Optional(
    Type.Boolean({
      description:
        'true: mirrors the folder even if another sync program (OneDrive, iCloud Drive, Dropbox, Google Drive, Syncthing, Nextcloud) manages it or a part of it. Default: such a folder is refused with `cloud_folder`.',
    }),
  ),
});
export type MirrorCreateBody = Static<typeof MirrorCreateBody>;
