// Our own agent-wide endpoints: status, settling, sign-in, backup, diagnostics.
import { type Static, Type } from 'typebox';
import { Timestamp } from './common.ts';
import { Retention } from './history.ts';
import { Mirror, Workspace } from './workspaces.ts';

export const Health = Type.Object({ status: Type.Literal('ok') }, { $id: 'Health' });

export const AgentStatus = Type.Object(
  {
    version: Type.String(),
    pid: Type.Integer(),
    startedAt: Timestamp,
    url: Type.String(),
    dataDir: Type.String(),
    epoch: Type.String({ description: 'Changes when a backup was restored.' }),
    lastRevision: Type.String(),
    retention: Retention,
    workspaces: Type.Array(Workspace),
    mirrors: Type.Array(Mirror),
  },
  { $id: 'AgentStatus' },
);
export type AgentStatus = Static<typeof AgentStatus>;

export const SettleBody = Type.Object({
  workspaceId: Type.Optional(Type.String()),
  timeoutMs: Type.Optional(Type.Integer({ minimum: 1, maximum: 3_600_000 })),
});
export type SettleBody = Static<typeof SettleBody>;
export const SettleResult = Type.Object(
  { settled: Type.Boolean(), mirrors: Type.Array(Mirror) },
  { $id: 'SettleResult' },
);
export type SettleResult = Static<typeof SettleResult>;

export const SignInLink = Type.Object(
  { url: Type.String({ description: 'Carries a single-use code in its fragment.' }), expiresAt: Timestamp },
  { $id: 'SignInLink' },
);
export type SignInLink = Static<typeof SignInLink>;
export const SignInExchangeBody = Type.Object({ code: Type.String({ minLength: 1, maxLength: 200 }) });
export const SignInToken = Type.Object(
  { token: Type.String(), expiresAt: Timestamp },
  { $id: 'SignInToken' },
);
export type SignInToken = Static<typeof SignInToken>;

export const BackupBody = Type.Object({ dir: Type.String({ minLength: 1, maxLength: 4096 }) });
export const BackupResult = Type.Object(
  { dir: Type.String(), files: Type.Integer(), bytes: Type.Integer(), epoch: Type.String() },
  { $id: 'BackupResult' },
);
export type BackupResult = Static<typeof BackupResult>;

/** One check of `doctor`: what was looked at, whether it is well, and what to do if not. */
const DiagnosticCheck = Type.Object({
  name: Type.String(),
  state: Type.Enum(['ok', 'warning', 'failed']),
  detail: Type.String(),
  next: Type.Optional(Type.String()),
});
export const Diagnostics = Type.Object({ checks: Type.Array(DiagnosticCheck) }, { $id: 'Diagnostics' });
export type Diagnostics = Static<typeof Diagnostics>;
