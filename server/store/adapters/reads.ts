// Every read of the store by subject and name, over any engine. An engine runs them where it likes: SQLite on the calling thread,
// PostgreSQL in threads of its own. So inputs and results are plain data.
import { readCounter } from '../database/counters.ts';
import { readEpoch } from '../database/meta.ts';
import type { ReadStatements } from '../database/statements.ts';
import {
  eventPositionAt,
  eventRange,
  eventsAfter,
  isPositionGone,
  listEvents,
} from '../tables/feed/read-events.ts';
import { listSubscriptions } from '../tables/feed/subscriptions.ts';
import {
  isActiveWebhook,
  listDeadDeliveries,
  listWebhooks,
  nextDeliveryDueMs,
  waitingDeliveries,
  webhookCounts,
} from '../tables/feed/webhook-deliveries.ts';
import {
  allowEach,
  findContent,
  findText,
  getChecked,
  getCheckedText,
  getEntry,
  getOpen,
  listFiles,
} from '../tables/files/files.ts';
import {
  findRevision,
  findRevisionAt,
  isKnownContent,
  readHistory,
  readHistoryPage,
} from '../tables/files/history.ts';
import { queryFiles } from '../tables/files/query.ts';
import { fileProviders, readTree } from '../tables/files/tree.ts';
import { readTreeAt } from '../tables/files/tree-at.ts';
import { listStaged } from '../tables/forks/commit.ts';
import { getCheckedInFork, queryFork, readForkTree } from '../tables/forks/reads.ts';
import { findFork, forksNeedSinceMs, listForks } from '../tables/forks/rows.ts';
import { visibleCounts } from '../tables/forks/visible-counts.ts';
import {
  deadLetterCauses,
  findDeadLetters,
  lastErrors,
  listAttempts,
  listDeadLetters,
} from '../tables/inbound/dead-letters.ts';
import { findEnvelope, pendingEnvelopes, readWaiting } from '../tables/inbound/envelopes.ts';
import { listIngress, queueCounts } from '../tables/inbound/ingress.ts';
import { countBase, loadBasePage } from '../tables/mirrors/base.ts';
import { lastProof, listConflicts, listMirrors, openIntents } from '../tables/mirrors/mirrors.ts';
import {
  countPlainSaves,
  getOperation,
  listOperations,
  listRegisteredOperations,
  oldestOperations,
  pendingOperations,
} from '../tables/outbound/operations.ts';
import {
  deliveredDrafts,
  nextDueMs,
  unsentPaths,
  writebackCounts,
} from '../tables/outbound/pending-operations.ts';
import { listProviders } from '../tables/outbound/providers.ts';
import { listSteps } from '../tables/outbound/steps.ts';
import {
  countRemoteBase,
  listRemoteBase,
  listRemoteSent,
  newestRemoteRevision,
  remoteBaseOf,
  remoteBasePathsBelow,
} from '../tables/remotes/base.ts';
import { listRemoteConflicts, listRemotes } from '../tables/remotes/remotes.ts';
import { measureHistory } from '../tables/retention/history-size.ts';
import { hasRemovableContents } from '../tables/retention/removable-contents.ts';
import { findRun, findRunOfFork, listRuns } from '../tables/runs/runs.ts';
import { userOfInvite } from '../tables/users/invites.ts';
import { readUsers, usersVersion } from '../tables/users/users.ts';
import { getToken, listTokens, revokedTokenIds } from '../tables/workspaces/tokens.ts';
import { getWorkspace, listWorkspaces } from '../tables/workspaces/workspaces.ts';
import { rowCounts } from './row-counts.ts';
import { snapshotTotals } from './snapshot-reads.ts';

export const reads = {
  workspaces: { get: getWorkspace, list: listWorkspaces },
  tokens: { get: getToken, list: listTokens, revokedIds: revokedTokenIds },
  users: { version: usersVersion, all: readUsers, userOfInvite },
  ingest: {
    pending: pendingEnvelopes,
    load: readWaiting,
    find: findEnvelope,
    findDead: findDeadLetters,
    attempts: listAttempts,
    deadLetters: listDeadLetters,
    ingress: listIngress,
    queue: queueCounts,
    deadLetterCauses,
    lastErrors,
    fileProviders,
  },
  operations: {
    get: getOperation,
    list: listOperations,
    listRegistered: listRegisteredOperations,
    countPlainSaves,
    oldest: oldestOperations,
    pending: pendingOperations,
    steps: listSteps,
  },
  writebacks: { nextDueMs, unsentPaths, deliveredDrafts, counts: writebackCounts },
  providers: { list: listProviders },
  webhooks: {
    list: listWebhooks,
    isActive: isActiveWebhook,
    waiting: waitingDeliveries,
    nextDueMs: nextDeliveryDueMs,
    counts: webhookCounts,
    deadLetters: listDeadDeliveries,
  },
  subscriptions: { list: listSubscriptions },
  mirrors: {
    list: listMirrors,
    listBase: loadBasePage,
    countBase,
    lastProof,
    openIntents,
    listConflicts,
  },
  remotes: {
    list: listRemotes,
    listBase: listRemoteBase,
    baseOf: remoteBaseOf,
    basePathsBelow: remoteBasePathsBelow,
    countBase: countRemoteBase,
    newestRevision: newestRemoteRevision,
    listSent: listRemoteSent,
    listConflicts: listRemoteConflicts,
  },
  files: {
    get: getEntry,
    getOpen,
    getChecked,
    getCheckedText,
    tree: readTree,
    query: queryFiles,
    list: listFiles,
    history: readHistory,
    historyPage: readHistoryPage,
    revision: findRevision,
    revisionAt: findRevisionAt,
    treeAt: readTreeAt,
    isKnownContent,
    allowEach,
    content: findContent,
    text: findText,
    lastRevision: (statements: ReadStatements) => readCounter(statements, 'revision'),
    historyCompleteSinceMs: (statements: ReadStatements) => readCounter(statements, 'history_floor'),
  },
  events: {
    list: listEvents,
    after: eventsAfter,
    positionAt: eventPositionAt,
    range: eventRange,
    isGone: isPositionGone,
  },
  forks: {
    find: findFork,
    list: listForks,
    counts: visibleCounts,
    staged: listStaged,
    getChecked: getCheckedInFork,
    tree: readForkTree,
    query: queryFork,
  },
  runs: { find: findRun, findOfFork: findRunOfFork, list: listRuns },
  snapshot: { totals: snapshotTotals },
  maintenance: {
    epoch: readEpoch,
    forksNeedSinceMs,
    hasRemovableContents,
    measureHistory,
    rowCounts,
  },
} as const;

export type Reads = typeof reads;
export type ReadSubject = keyof Reads;

type Look = (statements: ReadStatements, ...input: never[]) => unknown;

/** What a read is given besides the statements. */
export type ReadInput<From> = From extends (statements: ReadStatements, ...input: infer Input) => unknown
  ? Input
  : never;
export type ReadResult<From> = From extends (...input: never[]) => infer Result ? Awaited<Result> : never;

/** Runs the read of this subject and name. */
export type ReadThrough = <Subject extends ReadSubject, Name extends keyof Reads[Subject]>(
  subject: Subject,
  name: Name,
  ...input: ReadInput<Reads[Subject][Name]>
) => Promise<ReadResult<Reads[Subject][Name]>>;

/** The read of this subject and name. */
export function readNamed(subject: string, name: string): Look {
  const ofSubject = (reads as Readonly<Record<string, Readonly<Record<string, Look>>>>)[subject];
  const look = ofSubject?.[name];
  if (look === undefined) throw new Error(`there is no read ${subject}.${name}`);
  return look;
}
