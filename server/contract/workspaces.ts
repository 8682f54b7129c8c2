// Our own endpoints beside v1: workspaces, tokens, mirrors.
import { type Static, Type } from 'typebox';
import { NextCursor, Revision, Timestamp } from './common.ts';
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
  },
  { $id: 'AccessToken' },
);
export type AccessToken = Static<typeof AccessToken>;
export const AccessTokenList = Type.Object({ tokens: Type.Array(AccessToken) }, { $id: 'AccessTokenList' });
export type AccessTokenList = Static<typeof AccessTokenList>;
export const AccessTokenCreateBody = Type.Object({
  agent: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$' })),
  scopes: Type.Optional(Type.Array(Type.String({ minLength: 1 }), { minItems: 1, maxItems: 64 })),
  path: Type.Optional(Type.String({ description: 'A path glob; grants fs read and write below it.' })),
  ttlSeconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 315_360_000 })),
  deletesPerMinute: Type.Optional(Type.Integer({ minimum: 1 })),
});
export type AccessTokenCreateBody = Static<typeof AccessTokenCreateBody>;
/** The bare token stands here once and is never stored. */
export const AccessTokenCreated = Type.Object(
  { token: Type.String(), accessToken: AccessToken },
  { $id: 'AccessTokenCreated' },
);
export type AccessTokenCreated = Static<typeof AccessTokenCreated>;

export const mirrorStates = ['scanning', 'syncing', 'idle', 'paused', 'halted', 'error'] as const;
export type MirrorState = (typeof mirrorStates)[number];

/** One thing that a mirror does not do right now, in the four parts of every stop. */
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
  retryAt: Type.Union([Timestamp, Type.Null()], { description: 'null: not by itself.' }),
});
export type MirrorProblem = Static<typeof MirrorProblem>;

/** All problems of one cause. */
const MirrorProblemGroup = Type.Object({
  kind: Type.String({ description: 'As in `problemList`.', examples: ['symlink'] }),
  count: Type.Integer(),
  listed: Type.Integer({
    description: 'How many of them `GET .../problems` lists: at most 5,000 of each cause.',
  }),
  summary: Type.String({
    examples: ['3,936 symbolic links are not synced; largest: share/zoneinfo (1,790)'],
  }),
  next: Type.Union([Type.String(), Type.Null()], { description: 'null: not the same for all of them.' }),
  directories: Type.Array(
    Type.Object({
      path: Type.String(),
      count: Type.Integer({
        description: 'In it and below it, less those of the directories that are listed before it.',
      }),
    }),
    { description: 'Where most of them are, at most 5; empty when there is one only.' },
  ),
});
export type MirrorProblemGroup = Static<typeof MirrorProblemGroup>;
export const MirrorProblems = Type.Object(
  {
    mirrorId: Type.String(),
    count: Type.Integer({ description: 'All problems, or all of the cause that was asked for.' }),
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

/** Why a mirror does nothing, and what would happen otherwise. */
const MirrorHalt = Type.Object({
  reason: Type.Enum([...haltReasons]),
  cause: Type.String(),
  next: Type.String(),
  deletes: Type.Integer({
    description:
      'Files that would be deleted or truncated in the workspace if it continued. More than 0 only with `emptied`, `mass_delete`, `delete_rate` and `root_replaced`.',
  }),
  truncations: Type.Integer({
    description:
      'Of `deletes`, the files that would be truncated: they became empty, or lost more than 90 % of at least 4 KiB.',
  }),
  answers: Type.Array(Type.Enum(['restore', 'delete']), {
    description: 'What it can be told. Anything else: put the folder back, or resume.',
  }),
});

/** Work that takes a while: the first scan, and carrying many files. What is not known is null, never guessed. */
const MirrorProgress = Type.Object({
  phase: Type.Enum(['scanning', 'syncing'], {
    description: '`scanning`: reading the folder; `syncing`: carrying what differs.',
  }),
  unit: Type.Literal('files'),
  done: Type.Integer(),
  total: Type.Union([Type.Integer(), Type.Null()], { description: 'null: not all has been found yet.' }),
  bytesDone: Type.Integer(),
  bytesTotal: Type.Union([Type.Integer(), Type.Null()]),
  filesPerSecond: Type.Union([Type.Number(), Type.Null()], { description: 'Of the last ten seconds.' }),
  bytesPerSecond: Type.Union([Type.Number(), Type.Null()]),
  leftMs: Type.Union([Type.Integer(), Type.Null()], {
    description: 'Milliseconds that the rest takes at this rate; null: not known.',
  }),
});

export const Mirror = Type.Object(
  {
    mirrorId: Type.String(),
    workspaceId: Type.String(),
    dir: Type.String(),
    mode: Type.Enum([...mirrorModes], {
      description:
        '`to-workspace`: the folder is never written. `to-folder`: the workspace is never written, and files come read-only.',
    }),
    path: Type.String({ description: 'The directory of the workspace that the folder shows.' }),
    state: Type.Enum([...mirrorStates]),
    watch: Type.Enum(['events', 'polling']),
    files: Type.Integer(),
    pendingLocal: Type.Integer(),
    pendingRemote: Type.Integer(),
    conflicts: Type.Integer(),
    kept: Type.Integer({
      description: 'Of a one-way mirror: files that differ and stay so, because the other way is closed.',
    }),
    problems: Type.Integer(),
    problemList: Type.Array(MirrorProblem, {
      description: 'At most 100, some of each cause. All of them: `GET .../problems`.',
    }),
    problemGroups: Type.Array(MirrorProblemGroup, {
      description:
        'All problems and conflicts, counted by their cause; what needs somebody first, then what is most.',
    }),
    warnings: Type.Array(MirrorProblem, {
      description:
        'What is mirrored and may not be meant to be: one for files that look like secrets (`secrets`), and one for each file of rules that somebody else than the folder changed within a week (`rules_changed`).',
    }),
    lastSyncAt: Type.Union([Timestamp, Type.Null()]),
    deletesPerMinuteMax: Type.Integer({
      description:
        'More deletions and truncations in the folder than this within a minute halt it, whatever their share.',
    }),
    halt: Type.Union([Type.Null(), MirrorHalt]),
    progress: Type.Union([Type.Null(), MirrorProgress], {
      description: 'null: nothing that takes long is going on.',
    }),
    proof: MirrorProof,
  },
  { $id: 'Mirror' },
);
export type Mirror = Static<typeof Mirror>;
export const HeldDeletions = Type.Object(
  {
    mirrorId: Type.String(),
    halt: Type.Union([Type.Null(), MirrorHalt], { description: 'null: it is not halted.' }),
    items: Type.Array(
      Type.Object({
        path: Type.String(),
        revision: Revision,
        change: Type.Enum(['deletion', 'truncation'], {
          description: '`truncation`: the file is still in the folder, with almost none of its content.',
        }),
        size: Type.Integer({ description: 'Bytes that the workspace holds.' }),
        sizeAfter: Type.Union([Type.Integer(), Type.Null()], {
          description: 'Bytes that it would hold; null: the file would be deleted.',
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
      '`restore`: missing files and truncated contents come back from the workspace. `delete`: the changes are carried to the workspace; the contents stay in its history.',
  }),
  deletes: Type.Optional(
    Type.Integer({
      minimum: 1,
      description:
        'With `delete`: how many files were shown. Another number by now: 409, and nothing is carried.',
    }),
  ),
});
export type HaltAnswerBody = Static<typeof HaltAnswerBody>;
export const MirrorChangeBody = Type.Object({
  deletesPerMinuteMax: Type.Union([Type.Integer({ minimum: 1, maximum: 1_000_000 }), Type.Null()], {
    description: 'null: the usual number, 1,000.',
  }),
});
export type MirrorChangeBody = Static<typeof MirrorChangeBody>;
export const RulePreviewBody = Type.Object({
  rules: Type.String({
    maxLength: 1_048_576,
    description: 'The whole `.mooringignore` at the root of the folder; empty: none.',
  }),
});
export type RulePreviewBody = Static<typeof RulePreviewBody>;
const RulePaths = Type.Object({
  count: Type.Integer(),
  paths: Type.Array(Type.String(), {
    description: 'As the mirror counts them: from the directory that it shows.',
  }),
});
export const RulePreview = Type.Object(
  {
    looked: Type.Integer({ description: 'Files of either side that were looked at.' }),
    leftOut: RulePaths,
    carried: RulePaths,
    fault: Type.Optional(
      Type.String({
        description:
          'Why these rules would not be applied: a file has at most 1,000 rules with 65,536 characters. Nothing would be synced or deleted then.',
      }),
    ),
  },
  {
    $id: 'RulePreview',
    description:
      '`leftOut`: carried now and not then; they stay on both sides. `carried`: left out now and not then, as far as the workspace holds them.',
  },
);
export type RulePreview = Static<typeof RulePreview>;
export const MirrorList = Type.Object({ mirrors: Type.Array(Mirror) }, { $id: 'MirrorList' });
export type MirrorList = Static<typeof MirrorList>;
export const MirrorCreateBody = Type.Object({
  dir: Type.String({ minLength: 1, maxLength: 4096 }),
  mode: Type.Optional(Type.Enum([...mirrorModes], { description: 'Default: `two-way`.' })),
  path: Type.Optional(
    Type.String({ maxLength: 4096, description: 'A directory of the workspace; default: all of it.' }),
  ),
  acceptCloudFolder: Type.Optional(
    Type.Boolean({
      description:
        'Mirror the folder although another sync program (OneDrive, iCloud Drive, Dropbox, Google Drive, Syncthing, Nextcloud) manages it or a part of it. Default: such a folder is refused with `cloud_folder`.',
    }),
  ),
});
export type MirrorCreateBody = Static<typeof MirrorCreateBody>;
