// Creates the handlers of every kind of command over one writing connection, for the writer's thread. It opens nothing and commits
// nothing.
import type { AgentConfig } from '../../platform/config/config.ts';
import { BlobRows } from '../contents/blob-rows.ts';
import { Counters } from '../database/counters.ts';
import type { WriteStatements } from '../database/statements.ts';
import type { Command, Handlers } from '../port/commands.ts';
import { changeFiles } from '../tables/change/change-files.ts';
import { restoreFiles } from '../tables/change/restore-files.ts';
import { subscriptionHandlers } from '../tables/feed/subscriptions.ts';
import { endRegistrationsOf } from '../tables/feed/token-lifetime.ts';
import { webhookHandlers } from '../tables/feed/webhook-endpoints.ts';
import { changeFork, createFork, discardFork } from '../tables/forks/changes.ts';
import { commitFork, rebaseFork } from '../tables/forks/commit.ts';
import { applyHandlers } from '../tables/inbound/apply-envelopes.ts';
import { envelopeHandlers } from '../tables/inbound/envelope-commands.ts';
import { IngressCounts } from '../tables/inbound/ingress.ts';
import { RecentEnvelopes } from '../tables/inbound/recent-envelopes.ts';
import { saveBaseEntry } from '../tables/mirrors/base.ts';
import { mirrorHandlers } from '../tables/mirrors/mirrors.ts';
import { writebackHandlers } from '../tables/outbound/operation-commands.ts';
import { hasProvider, providerHandlers } from '../tables/outbound/providers.ts';
import { recordRemoteChanges } from '../tables/remotes/base.ts';
import { remoteHandlers } from '../tables/remotes/remotes.ts';
import { retentionClockHandlers, retentionHandlers } from '../tables/retention/retention.ts';
import { insertRun, recordRunCommit, recordRunDiscard, recordRunUndone } from '../tables/runs/runs.ts';
import { inviteHandlers } from '../tables/users/invites.ts';
import { userHandlers } from '../tables/users/users.ts';
import { tokenHandlers } from '../tables/workspaces/tokens.ts';
import { workspaceHandlers } from '../tables/workspaces/workspaces.ts';
import { SharedChangeCounters } from './change-counters.ts';
import type { CommitGroupDeps } from './group-commit.ts';

/**
 * `hasBlobFile`: does the content of this hash exist as a durable file? `changes`: counted for the readers. `others`: whether other
 * processes write to the same database.
 */
export function createCommandHandlers<Statements extends WriteStatements>(
  statements: Statements,
  externalWriteback: AgentConfig['externalWriteback'],
  hasBlobFile: (hash: string) => boolean,
  changes = new SharedChangeCounters(),
  others: 'write too' | 'only read' = 'only read',
): CommitGroupDeps<Statements> {
  const counters = new Counters(statements);
  const ingress = new IngressCounts(statements);
  const recent = new RecentEnvelopes();
  const blobs = new BlobRows(statements, hasBlobFile);
  const touched: CommitGroupDeps['touched'] = [];
  // `auto` waits only for registered providers (docs/wire-contract.md#operations-and-writeback).
  const hasConsumer = (workspace: number, provider: string) =>
    externalWriteback === 'all' ||
    (externalWriteback === 'auto' && hasProvider(statements, workspace, provider));
  const changeParts = {
    statements,
    counters,
    ingress,
    blobs,
    hasConsumer,
    touched: (workspaceId: string) => void touched.push([workspaceId, counters.last.event]),
  };
  const handlers: Handlers = {
    change_files(command) {
      const results = changeFiles(changeParts, command);
      if (command.agreement !== undefined) saveBaseEntry(statements, command.agreement, results);
      if (command.remoteAgreement !== undefined)
        recordRemoteChanges(statements, command.remoteAgreement, results);
      return results;
    },
    restore_files(command) {
      const result = restoreFiles(changeParts, command);
      const { target } = command;
      if (target.kind === 'run' && result.ok && !command.dryRun) recordRunUndone(statements, target.runId);
      return result;
    },
    create_fork: (input) => createFork(changeParts, input),
    change_fork(input) {
      const result = changeFork(changeParts, input);
      if (result.kind === 'changed' && input.agreement !== undefined)
        saveBaseEntry(statements, input.agreement, result.results);
      return result;
    },
    commit_fork(input) {
      const result = commitFork(changeParts, input);
      if (result.kind === 'committed')
        recordRunCommit(statements, input.forkId, { ...result, atMs: input.atMs });
      return result;
    },
    rebase_fork: (input) => rebaseFork(changeParts, input),
    discard_fork(input) {
      const result = discardFork(statements, input);
      if (result.kind === 'discarded') recordRunDiscard(statements, input.forkId, input.atMs);
      return result;
    },
    create_run(input) {
      const created = createFork(changeParts, input.fork);
      return created.kind === 'open' ? { kind: 'open', run: insertRun(statements, input) } : created;
    },
    ...workspaceHandlers(statements),
    ...writebackHandlers({ ...changeParts, change: (command) => changeFiles(changeParts, command) }),
    ...providerHandlers(statements),
    ...webhookHandlers(statements),
    ...subscriptionHandlers(statements),
    ...envelopeHandlers({ ...changeParts, recent }),
    ...applyHandlers(changeParts),
    ...tokenHandlers(statements, (tokenId, atMs) => endRegistrationsOf(statements, tokenId, atMs)),
    ...userHandlers(statements, (id, atMs) => endRegistrationsOf(statements, id, atMs)),
    ...inviteHandlers(statements),
    ...mirrorHandlers(statements),
    ...remoteHandlers(statements),
    ...retentionHandlers(statements, blobs, ingress),
    ...retentionClockHandlers(statements),
  };
  /** The newest of this process. */
  let lastEnvelope = 0;
  const refresh = (commands: readonly Command[]) => {
    if (others === 'only read') return;
    counters.reload();
    lastEnvelope = ingress.knownNumber ?? lastEnvelope;
    ingress.discard();
    if (!commands.some(({ name }) => name === 'accept_envelope')) return;
    // An envelope of another process may be newer than what is remembered here.
    if (ingress.lastNumber() !== lastEnvelope) recent.forget();
  };
  return { statements, counters, ingress, handlers, touched, changes, refresh };
}
