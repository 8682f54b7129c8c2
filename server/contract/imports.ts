// Import of a GitHub source tarball: the result, and the job of a fetched archive.
import { type Static, Type } from 'typebox';
import { Timestamp } from './common.ts';

const result = {
  imported: Type.Integer({ minimum: 0, description: 'Number of written files.' }),
  errorCount: Type.Integer({ minimum: 0 }),
  errors: Type.Array(Type.Object({ path: Type.String(), code: Type.String(), message: Type.String() }), {
    description: 'Refused entries: links, devices, invalid paths, missing permissions.',
  }),
  skipped: Type.Array(
    Type.Object({
      path: Type.String({ description: 'Path in the repository.' }),
      reason: Type.Enum(['ignored', 'too-large']),
    }),
  ),
  bytesWritten: Type.Integer({ minimum: 0 }),
};

export const TarballImported = Type.Object(
  { ...result, correlationId: Type.String() },
  { $id: 'TarballImported' },
);
export type TarballImported = Static<typeof TarballImported>;

const repository = {
  owner: Type.String({ pattern: '^[A-Za-z0-9](?:[A-Za-z0-9-]{0,38})$' }),
  repo: Type.String({ pattern: '^(?!\\.{1,2}$)[A-Za-z0-9._-]{1,100}$' }),
  headSha: Type.String({ pattern: '^[0-9a-fA-F]{7,64}$' }),
};
export const TarballParameters = Type.Object({
  ...repository,
  jobId: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$',
      description: 'Stores the result as a job with this id.',
    }),
  ),
});
export type TarballParameters = Static<typeof TarballParameters>;

export const TarballFetchBody = Type.Object({
  ...TarballParameters.properties,
  ref: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
  tarballUrl: Type.String({
    minLength: 1,
    maxLength: 2048,
    description: 'The owner must allow its host.',
  }),
});

export type TarballFetchBody = Static<typeof TarballFetchBody>;

const tarballJobStates = ['queued', 'fetching', 'importing', 'completed', 'failed'] as const;

export const TarballJob = Type.Object(
  {
    jobId: Type.String(),
    workspaceId: Type.String(),
    owner: Type.String(),
    repo: Type.String(),
    ref: Type.Optional(Type.String()),
    headSha: Type.String(),
    status: Type.Enum([...tarballJobStates]),
    ...result,
    lastError: Type.Optional(Type.String()),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    completedAt: Type.Optional(Timestamp),
  },
  { $id: 'TarballJob' },
);
export type TarballJob = Static<typeof TarballJob>;
