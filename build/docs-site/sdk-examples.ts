// The TypeScript example of each endpoint that the SDK offers. The site shows the calls; a test makes them.
import type { MooringClient } from '../../sdk/index.ts';

/** What an example refers to. */
export interface Names {
  readonly client: MooringClient;
  readonly workspaceId: string;
  readonly forkId: string;
  readonly runId: string;
  readonly mirrorId: string;
  readonly conflictId: string;
  readonly remoteId: string;
  readonly opId: string;
  readonly envelopeId: string;
  readonly tokenId: string;
  readonly subscriptionId: string;
  readonly deliveryId: string;
  readonly jobId: string;
  readonly eventId: string;
  readonly revision: string;
  readonly dir: string;
  readonly archive: Blob;
  readonly refreshToken: string;
  readonly sessionId: string;
  /** Of the settings that are changed. */
  readonly version: string;
}

type Example = (names: Names) => unknown;

const files = {
  listTree: ({ client, workspaceId }) => client.files.tree(workspaceId, { path: '/docs', depth: 2 }),
  readFile: ({ client, workspaceId }) => client.files.read(workspaceId, '/docs/plan.md'),
  'headFile-head': ({ client, workspaceId }) => client.files.stat(workspaceId, '/docs/plan.md'),
  writeFile: ({ client, workspaceId }) =>
    client.files.write(workspaceId, '/docs/plan.md', '# Plan\n', { ifMatch: '*' }),
  deleteFile: ({ client, workspaceId }) => client.files.delete(workspaceId, '/docs/old.md', { ifMatch: '*' }),
  bulkWrite: ({ client, workspaceId }) =>
    client.files.writeMany(workspaceId, [{ path: '/docs/a.md', content: 'A' }]),
  bulkRead: ({ client, workspaceId }) => client.files.readMany(workspaceId, ['/docs/plan.md', '/docs/a.md']),
  mergeFile: ({ client, workspaceId, revision }) =>
    client.files.merge(workspaceId, '/docs/plan.md', {
      strategy: 'three-way-lines-v1',
      baseRevision: revision,
      baseContent: '# Plan\n',
      content: '# My plan\n',
    }),
  queryFiles: ({ client, workspaceId }) => client.files.query(workspaceId, { path: '/docs', limit: 100 }),
  searchFiles: ({ client, workspaceId }) =>
    client.searches.page(workspaceId, 'retry backoff', { glob: '*.md' }),
  exportWorkspace: ({ client, workspaceId }) => client.files.export(workspaceId, { format: 'tar' }),
  importGithubTarball: ({ client, workspaceId, archive }) =>
    client.imports.tarball(
      workspaceId,
      { owner: 'octocat', repo: 'hello', headSha: '7fd1a60b01f91b314f59955a4e4d4e80d8edf11d' },
      archive,
    ),
  fetchGithubTarball: ({ client, workspaceId }) =>
    client.imports.fetch(workspaceId, {
      owner: 'octocat',
      repo: 'hello',
      headSha: '7fd1a60b01f91b314f59955a4e4d4e80d8edf11d',
      tarballUrl: 'https://codeload.github.com/octocat/hello/tar.gz/main',
    }),
  getTarballJob: ({ client, workspaceId, jobId }) => client.imports.job(workspaceId, jobId),
} satisfies Record<string, Example>;

const history = {
  getHistory: ({ client, workspaceId }) => client.history.page(workspaceId, '/docs/plan.md'),
  listTreeAt: ({ client, workspaceId }) => client.history.tree(workspaceId, new Date(), { path: '/docs' }),
  diffRevisions: ({ client, workspaceId }) => client.history.diff(workspaceId, '/docs/plan.md'),
  restoreFiles: ({ client, workspaceId, revision }) =>
    client.history.restore(workspaceId, { path: '/docs/plan.md', revision, dryRun: true }),
  listEvents: ({ client, workspaceId }) => client.events.page(workspaceId, { path: '/docs', waitMs: 1 }),
  listChanges: ({ client, workspaceId }) => client.events.changes(workspaceId, { last: 10 }),
  getChangedResource: ({ client, workspaceId, eventId }) =>
    client.events.changedResource(workspaceId, eventId),
} satisfies Record<string, Example>;

const forksAndRuns = {
  createFork: ({ client, workspaceId }) => client.forks.create(workspaceId, { proposalId: 'rewrite-1' }),
  listForks: ({ client, workspaceId }) => client.forks.list(workspaceId),
  getFork: ({ client, workspaceId, forkId }) => client.forks.get(workspaceId, forkId),
  listForkChanges: ({ client, workspaceId, forkId }) =>
    client.forks.changes(workspaceId, forkId, { patch: true }),
  rebaseFork: ({ client, workspaceId, forkId }) => client.forks.rebase(workspaceId, forkId),
  commitFork: ({ client, workspaceId, forkId }) => client.forks.commit(workspaceId, forkId),
  discardFork: ({ client, workspaceId, forkId }) => client.forks.discard(workspaceId, forkId),
  createRun: ({ client, workspaceId }) => client.runs.create(workspaceId, { name: 'Rename the parser' }),
  listRuns: ({ client, workspaceId }) => client.runs.list(workspaceId),
  getRun: ({ client, workspaceId, runId }) => client.runs.get(workspaceId, runId),
  getRunSummary: ({ client, workspaceId, runId }) =>
    client.runs.summary(workspaceId, runId, { glob: ['*.md'] }),
  openRunFolder: ({ client, workspaceId, runId }) => client.runs.openFolder(workspaceId, runId),
  getRunFolder: ({ client, workspaceId, runId }) => client.runs.folder(workspaceId, runId),
  syncRunFolder: ({ client, workspaceId, runId }) => client.runs.syncFolder(workspaceId, runId),
  commitRun: ({ client, workspaceId, runId }) =>
    client.runs.commit(workspaceId, runId, { paths: ['/docs/**'] }),
  undoRun: ({ client, workspaceId, runId }) => client.runs.undo(workspaceId, runId, { dryRun: true }),
  discardRun: ({ client, workspaceId, runId }) => client.runs.discard(workspaceId, runId),
} satisfies Record<string, Example>;

const mirrors = {
  listMirrors: ({ client, workspaceId }) => client.mirrors.list(workspaceId),
  listFileMirrors: ({ client, workspaceId }) => client.mirrors.ofFiles(workspaceId),
  addMirror: ({ client, workspaceId, dir }) => client.mirrors.add(workspaceId, dir),
  settle: ({ client, workspaceId }) => client.mirrors.waitUntilSynced({ workspaceId, timeoutMs: 30_000 }),
  planMirror: ({ client, workspaceId, mirrorId }) => client.mirrors.plan(workspaceId, mirrorId),
  listMirrorProblems: ({ client, workspaceId, mirrorId }) => client.mirrors.problems(workspaceId, mirrorId),
  getPathStates: ({ client, workspaceId }) => client.mirrors.pathStates(workspaceId, ['/docs/plan.md']),
  explainPath: ({ client, workspaceId }) => client.mirrors.explain(workspaceId, '/docs/plan.md'),
  showProof: ({ client, workspaceId, mirrorId }) => client.mirrors.proof(workspaceId, mirrorId),
  proveMirror: ({ client, workspaceId, mirrorId }) =>
    client.mirrors.prove(workspaceId, mirrorId, { timeoutMs: 30_000 }),
  previewIgnoreRules: ({ client, workspaceId, mirrorId }) =>
    client.mirrors.previewRules(workspaceId, mirrorId, '*.log\n'),
  changeMirror: ({ client, workspaceId, mirrorId }) =>
    client.mirrors.setDeletionLimit(workspaceId, mirrorId, 200),
  showHalt: ({ client, workspaceId, mirrorId }) => client.mirrors.pendingDeletions(workspaceId, mirrorId),
  answerHalt: ({ client, workspaceId, mirrorId }) =>
    client.mirrors.resolveHalt(workspaceId, mirrorId, { answer: 'restore' }),
  pauseMirror: ({ client, workspaceId, mirrorId }) => client.mirrors.pause(workspaceId, mirrorId),
  resumeMirror: ({ client, workspaceId, mirrorId }) => client.mirrors.resume(workspaceId, mirrorId),
  removeMirror: ({ client, workspaceId, mirrorId }) => client.mirrors.remove(workspaceId, mirrorId),
  listConflicts: ({ client, workspaceId }) => client.conflicts.list(workspaceId),
  getConflict: ({ client, workspaceId, conflictId }) => client.conflicts.get(workspaceId, conflictId),
  resolveConflict: ({ client, workspaceId, conflictId }) =>
    client.conflicts.resolve(workspaceId, conflictId, { keep: 'both' }),
  listRemotes: ({ client, workspaceId }) => client.remotes.list(workspaceId),
  pauseRemote: ({ client, workspaceId, remoteId }) => client.remotes.pause(workspaceId, remoteId),
  resumeRemote: ({ client, workspaceId, remoteId }) => client.remotes.resume(workspaceId, remoteId),
  removeRemote: ({ client, workspaceId, remoteId }) => client.remotes.remove(workspaceId, remoteId),
} satisfies Record<string, Example>;

const outbound = {
  listOperations: ({ client, workspaceId }) =>
    client.operations.list(workspaceId, { status: 'dead_lettered' }),
  getOperation: ({ client, workspaceId, opId }) => client.operations.get(workspaceId, opId),
  listOperationSteps: ({ client, workspaceId, opId }) => client.operations.steps(workspaceId, opId),
  previewOperation: ({ client, workspaceId, opId }) => client.operations.previewReplay(workspaceId, opId),
  replayOperation: ({ client, workspaceId, opId }) => client.operations.replay(workspaceId, opId),
  replayOperations: ({ client, workspaceId }) => client.operations.replayMany(workspaceId, { dryRun: true }),
  listPendingWritebacks: ({ client, workspaceId }) => client.writeback.pending(workspaceId),
  previewWriteback: ({ client, workspaceId, opId }) => client.writeback.preview(workspaceId, opId),
  acknowledgeWriteback: ({ client, workspaceId, opId }) => client.writeback.acknowledge(workspaceId, opId),
  cancelWriteback: ({ client, workspaceId, opId }) => client.writeback.cancel(workspaceId, opId),
  cancelWritebacks: ({ client, workspaceId }) => client.writeback.cancelMany(workspaceId, { dryRun: true }),
  sendWriteback: ({ client, workspaceId, opId }) => client.writeback.retryNow(workspaceId, opId),
  sendWritebacks: ({ client, workspaceId }) => client.writeback.retryManyNow(workspaceId, { dryRun: true }),
  sweepWritebackDrafts: ({ client, workspaceId }) => client.writeback.sweepDrafts(workspaceId),
  addProvider: ({ client, workspaceId }) =>
    client.providers.add(workspaceId, { provider: 'github', kind: 'external' }),
  listProviders: ({ client, workspaceId }) => client.providers.list(workspaceId),
  getProvider: ({ client, workspaceId }) => client.providers.get(workspaceId, 'github'),
  updateProvider: ({ client, workspaceId }) =>
    client.providers.update(workspaceId, 'github', { timeoutMs: 10_000 }),
  testProvider: ({ client, workspaceId }) => client.providers.test(workspaceId, 'github'),
  pauseProvider: ({ client, workspaceId }) => client.providers.pause(workspaceId, 'github'),
  resumeProvider: ({ client, workspaceId }) => client.providers.resume(workspaceId, 'github'),
  triggerSyncRefresh: ({ client, workspaceId }) =>
    client.providers.refresh(workspaceId, { provider: 'github' }),
  removeProvider: ({ client, workspaceId }) => client.providers.remove(workspaceId, 'github'),
  registerWebhook: ({ client, workspaceId }) =>
    client.webhooks.register(workspaceId, { url: 'https://example.com/hook', pathGlobs: ['/docs/**'] }),
  listWebhooks: ({ client, workspaceId }) => client.webhooks.list(workspaceId),
  listWebhookDeadLetters: ({ client, workspaceId }) => client.webhooks.deadLetters(workspaceId),
  replayWebhookDeadLetter: ({ client, workspaceId, deliveryId }) =>
    client.webhooks.replay(workspaceId, deliveryId),
  deleteWebhook: ({ client, workspaceId, subscriptionId }) =>
    client.webhooks.remove(workspaceId, subscriptionId),
  listSubscriptions: ({ client, workspaceId }) => client.subscriptions.list(workspaceId),
  claimSubscriptionDeliveries: ({ client, workspaceId }) =>
    client.subscriptions.claim(workspaceId, { limit: 10 }),
  cancelSubscription: ({ client, workspaceId, subscriptionId }) =>
    client.subscriptions.cancel(workspaceId, subscriptionId),
} satisfies Record<string, Example>;

const inbound = {
  ingestWebhook: ({ client, workspaceId }) =>
    client.sync.ingestWebhook(workspaceId, {
      provider: 'github',
      event_type: 'file.created',
      path: '/github/a.md',
      data: { content: 'A' },
    }),
  getSyncStatus: ({ client, workspaceId }) => client.sync.status(workspaceId),
  getSyncIngress: ({ client, workspaceId }) => client.sync.ingress(workspaceId),
  listDeadLetters: ({ client, workspaceId }) => client.sync.deadLetters.list(workspaceId),
  getDeadLetter: ({ client, workspaceId, envelopeId }) =>
    client.sync.deadLetters.get(workspaceId, envelopeId),
  getDeadLetterDetail: ({ client, workspaceId, envelopeId }) =>
    client.sync.deadLetters.detail(workspaceId, envelopeId),
  previewDeadLetter: ({ client, workspaceId, envelopeId }) =>
    client.sync.deadLetters.preview(workspaceId, envelopeId),
  replayDeadLetter: ({ client, workspaceId, envelopeId }) =>
    client.sync.deadLetters.replay(workspaceId, envelopeId),
  replayDeadLetters: ({ client, workspaceId }) =>
    client.sync.deadLetters.replayMany(workspaceId, { dryRun: true }),
  acknowledgeDeadLetter: ({ client, workspaceId, envelopeId }) =>
    client.sync.deadLetters.acknowledge(workspaceId, envelopeId),
  acknowledgeDeadLetters: ({ client, workspaceId }) =>
    client.sync.deadLetters.acknowledgeMany(workspaceId, { dryRun: true }),
  getBackends: ({ client }) => client.sync.admin.backends(),
  getAdminIngress: ({ client }) => client.sync.admin.ingress(),
  getAdminSync: ({ client }) => client.sync.admin.sync(),
  adminReplayEnvelope: ({ client, envelopeId }) => client.sync.admin.replayEnvelope(envelopeId),
  replayAdminOperation: ({ client, opId }) => client.sync.admin.replayOperation(opId),
} satisfies Record<string, Example>;

const agent = {
  listWorkspaces: ({ client }) => client.workspaces.list(),
  createWorkspace: ({ client }) => client.workspaces.create({ name: 'papers' }),
  renameWorkspace: ({ client, workspaceId }) => client.workspaces.rename(workspaceId, 'papers'),
  createToken: ({ client, workspaceId }) =>
    client.tokens.create(workspaceId, { agent: 'my-script', path: '/docs/**', ttlSeconds: 3600 }),
  listTokens: ({ client, workspaceId }) => client.tokens.list(workspaceId),
  revokeToken: ({ client, workspaceId, tokenId }) => client.tokens.revoke(workspaceId, tokenId),
  createControlWorkspace: ({ client }) => client.control.createWorkspace({ name: 'papers' }),
  joinWorkspace: ({ client, workspaceId }) => client.control.join(workspaceId, { agentName: 'my-script' }),
  createMountSession: ({ client, workspaceId, dir }) =>
    client.control.mountSession(workspaceId, { localDir: dir }),
  refreshToken: ({ client, refreshToken }) => client.control.refreshToken(refreshToken),
  getHealth: ({ client }) => client.agent.health(),
  getAgentStatus: ({ client }) => client.agent.status(),
  listClientsAtWork: ({ client }) => client.agent.clients(),
  listChangedLists: ({ client }) => client.agent.changes(),
  getAgentSettings: ({ client }) => client.agent.settings(),
  changeAgentSettings: ({ client, version }) =>
    client.agent.changeSettings({ version, settings: { historyDays: 60 } }),
  getDiagnostics: ({ client }) => client.agent.diagnostics(),
  getDiagnosticsBundle: ({ client }) => client.agent.diagnosticsBundle(),
  getLogs: ({ client }) => client.agent.logs({ level: 'warn' }),
  getLogMinutes: ({ client }) => client.agent.logMinutes({ level: 'error' }),
  getMetrics: ({ client }) => client.agent.metrics(),
  getOpenApi: ({ client }) => client.agent.openApi(),
  backup: ({ client, dir }) => client.agent.backup(dir),
  getSearchIndex: ({ client }) => client.searches.index(),
  rebuildSearchIndex: ({ client }) => client.searches.rebuildIndex(),
  createSignInLink: ({ client }) => client.agent.signIn.link(),
  listSignInSessions: ({ client }) => client.agent.signIn.sessions(),
  endSignInSession: ({ client, sessionId }) => client.agent.signIn.endSession(sessionId),
  endAllSignInSessions: ({ client }) => client.agent.signIn.endAllSessions(),
  deleteWorkspace: ({ client, workspaceId }) => client.workspaces.remove(workspaceId),
  restoreWorkspace: ({ client, workspaceId }) => client.workspaces.restore(workspaceId),
} satisfies Record<string, Example>;

/** By operation id. */
export const sdkExamples: Readonly<Record<string, Example>> = {
  ...files,
  ...history,
  ...forksAndRuns,
  ...mirrors,
  ...outbound,
  ...inbound,
  ...agent,
};

/** `await client.files.read(workspaceId, '/docs/plan.md');` */
export function sdkExampleText(operationId: string): string | null {
  const example = sdkExamples[operationId];
  if (example === undefined) return null;
  const source = example.toString();
  const call = source
    .slice(source.indexOf('=>') + 2)
    .trim()
    .replace(/\s*\n\s*/g, ' ')
    .replaceAll('( ', '(')
    .replaceAll(', )', ')')
    // A bundler may have written them otherwise.
    .replace(/"([^"'\\]*)"/g, "'$1'");
  return `await ${call};`;
}
