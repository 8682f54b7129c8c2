// The proof that a mirror's folder and its part of the workspace are equal: what the meter shows, and what asking for it answers.
import { type Static, Type } from 'typebox';
import { Timestamp } from './common.ts';

const proofStates = ['unproven', 'proving', 'equal', 'not-equal', 'equal-until-pause'] as const;
export type ProofState = (typeof proofStates)[number];

const ProvedEqual = Type.Object({
  provedAt: Timestamp,
  root: Type.String({ description: 'Of the Merkle tree that all three had.' }),
  files: Type.Integer(),
  bytes: Type.Integer(),
  leftOut: Type.Integer({
    description: 'Paths that were left out: each is in `problemList`, or ignored.',
  }),
  hashedFiles: Type.Integer({
    description:
      'Files that were hashed for it. Of the others size, times and inode showed that they had not changed since they were.',
  }),
  hashedBytes: Type.Integer(),
});
export type ProvedEqual = Static<typeof ProvedEqual>;

/** Whether folder, workspace and what both last agreed on hold the same, found out anew from each of the three. */
export const MirrorProof = Type.Object(
  {
    state: Type.Enum([...proofStates], {
      description:
        '`proving`: it is looked, or will be as soon as nothing moves. `unproven`: the mirror does not work, or has never been at rest. `not-equal`: they differ, and nothing that is listed says why.',
    }),
    last: Type.Union([Type.Null(), ProvedEqual], {
      description: 'When all three were last proved equal. null: not since the agent started.',
    }),
    beforeRestart: Type.Union([Type.Null(), ProvedEqual], {
      description:
        'The last proof of the run before, until this one has proved it again: what happened since is not known from it.',
    }),
    alarm: Type.Union(
      [
        Type.Null(),
        Type.Object({
          since: Timestamp,
          files: Type.Integer(),
          paths: Type.Array(Type.String(), { description: 'The first 100.' }),
        }),
      ],
      { description: 'What differs without a listed reason; null: nothing.' },
    ),
    rehashedAt: Type.Union([Timestamp, Type.Null()], {
      description:
        'When the pass ended that hashes every file once a day, whatever its times say. null: not since the agent started.',
    }),
  },
  { $id: 'MirrorProof' },
);
export type MirrorProof = Static<typeof MirrorProof>;
export const ProveBody = Type.Object({
  timeoutMs: Type.Optional(Type.Integer({ minimum: 1, maximum: 3_600_000 })),
});
export type ProveBody = Static<typeof ProveBody>;
export const ProofResult = Type.Object(
  {
    outcome: Type.Enum(['equal', 'not-equal', 'inconclusive'], {
      description: '`inconclusive`: it was written all the time, stands still, or the time was up.',
    }),
    mirrorId: Type.String(),
    proof: MirrorProof,
  },
  { $id: 'ProofResult' },
);
export type ProofResult = Static<typeof ProofResult>;
