// Migrates a database to the schema of this program, one migration after the other, each in its own transaction. The number of the last
// one is in `user_version`. Never changes a database that a later version has written. A new one is made by new-database.ts.
import { initial } from './migrations/0001-workspaces-files-and-their-feed.ts';
import { envelopes } from './migrations/0002-envelopes-and-their-provenance.ts';
import { providersAndWriteback } from './migrations/0003-providers-and-writeback.ts';
import { restorableHistory } from './migrations/0004-history-that-can-be-restored.ts';
import { webhooksAndSubscriptions } from './migrations/0005-webhooks-and-subscriptions.ts';
import { mirrorModes } from './migrations/0006-modes-and-roots-of-mirrors.ts';
import { forks } from './migrations/0007-forks.ts';
import { tokenUses } from './migrations/0008-last-use-of-tokens.ts';
import { historyInOrder } from './migrations/0009-history-in-order-of-revision.ts';
import { mirrorProofs } from './migrations/0010-proofs-of-mirrors.ts';
import { mirrorGuards } from './migrations/0011-guard-of-mirrors.ts';
import { envelopePages } from './migrations/0012-envelopes-in-fewer-pages.ts';
import { contentsOfIdentities } from './migrations/0013-contents-of-identities.ts';
import { endpointLifetimes } from './migrations/0014-endpoints-that-expire.ts';
import { forkCreators } from './migrations/0015-creators-of-forks.ts';
import { authorityOfEnvelopes } from './migrations/0016-authority-of-envelopes.ts';
import { refreshesThatFollow } from './migrations/0017-refreshes-that-follow.ts';
import { refreshStarts } from './migrations/0018-open-starts-of-refreshes.ts';
import { operationsByProvider } from './migrations/0019-operations-by-provider-and-action.ts';
import { runs } from './migrations/0020-runs.ts';
import { mirrorsOfForks } from './migrations/0021-mirrors-of-forks.ts';
import { tokensOfForks } from './migrations/0022-tokens-of-forks.ts';
import { remotes } from './migrations/0023-remotes.ts';
import { ownersOfLeases } from './migrations/0024-owners-of-leases.ts';
import { epochsOfServers } from './migrations/0025-epochs-of-servers.ts';
import { users } from './migrations/0026-users.ts';
import { timedPausesOfMirrors } from './migrations/0027-timed-pauses-of-mirrors.ts';
import type { Migration } from './migrations/migration.ts';
import type { SqliteReadStatements, SqliteWriteStatements } from './sqlite-statements.ts';

export const migrations: readonly Migration[] = [
  initial,
  envelopes,
  providersAndWriteback,
  restorableHistory,
  webhooksAndSubscriptions,
  mirrorModes,
  forks,
  tokenUses,
  historyInOrder,
  mirrorProofs,
  mirrorGuards,
  envelopePages,
  contentsOfIdentities,
  endpointLifetimes,
  forkCreators,
  authorityOfEnvelopes,
  refreshesThatFollow,
  refreshStarts,
  operationsByProvider,
  runs,
  mirrorsOfForks,
  tokensOfForks,
  remotes,
  ownersOfLeases,
  epochsOfServers,
  users,
  timedPausesOfMirrors,
];

/** Thrown when the database was written by a later version of this program; nothing was touched. */
export class FutureDatabaseError extends Error {
  override readonly name = 'FutureDatabaseError';
}

export function schemaVersion(database: SqliteReadStatements): number {
  // https://sqlite.org/pragma.html#pragma_user_version
  return Number(database.pragma('user_version'));
}

/** Refuses a database from the future. */
export function assertKnownSchema(
  database: SqliteReadStatements,
  known: readonly Migration[] = migrations,
): void {
  const found = schemaVersion(database);
  const newest = known.length;
  if (found > newest) {
    throw new FutureDatabaseError(
      `the database has version ${found} and this program knows versions up to ${newest}: start the newer Mooring that wrote it, or restore a backup`,
    );
  }
}

export function migrate(database: SqliteWriteStatements, known: readonly Migration[] = migrations): void {
  assertKnownSchema(database, known);
  for (const migration of known.slice(schemaVersion(database))) {
    database.transaction(() => {
      migration.up(database.connection);
      database.pragma(`user_version = ${migration.version}`);
    });
  }
}
