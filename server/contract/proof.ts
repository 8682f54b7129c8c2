// The proof that a mirrored folder and its part of the workspace are equal.
import { type Static, Type } from 'typebox';
import { Timestamp } from './common.ts';

const proofStates = ['unproven', 'proving', 'equal', 'not-equal', 'equal-until-pause'] as const;
export type ProofState = (typeof proofStates)[number];

const ProvedEqual = Type.Object({
  provedAt: Timestamp,
  root: Type.String({ description: 'Root hash of the Merkle tree of all three sources.' }),
  files: Type.Integer(),
  bytes: Type.Integer(),
  leftOut: Type.Integer({
    description: 'Number of excluded paths: each is in `problemList`, or ignored.',
  }),
  hashedFiles: Type.Integer({
    description:
      'Number of files that were hashed. The others have unchanged size, times and inode since their last hash.',
  }),
  hashedBytes: Type.Integer(),
});
export type ProvedEqual = Static<typeof ProvedEqual>;

/** Whether folder, workspace and base are equal, each read from its own source. */
export const MirrorProof = Type.Object(
  {
    state: Type.Enum([...proofStates], {
      description:
        '`proving`: a proof runs, or starts when nothing changes. `unproven`: the mirror is stopped, or files have changed all the time. `not-equal`: they differ for an unknown reason.',
    }),
    last: Type.Union([Type.Null(), ProvedEqual], {
      description: 'Time of the last successful proof. null: none since the agent started.',
    }),
    beforeRestart: Type.Union([Type.Null(), ProvedEqual], {
      description:
        'The last proof before the restart, until a new one succeeds. It does not cover later changes.',
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
      { description: 'Unexplained differences; null: none.' },
    ),
    rehashedAt: Type.Union([Timestamp, Type.Null()], {
      description: 'End of the last daily pass that hashes every file. null: none since the agent started.',
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
      description:
        '`inconclusive`: files changed all the time, the mirror is stopped, or the timeout was reached.',
    }),
    mirrorId: Type.String(),
    proof: MirrorProof,
  },
  { $id: 'ProofResult' },
);
export type ProofResult = Static<typeof ProofResult>;
