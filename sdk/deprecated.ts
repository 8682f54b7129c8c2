// The former flat names of the client's calls. Each reads the current method of its group. They are removed in 2.0.
import type { AgentCalls, SignInCalls } from './agent.ts';
import type { EventCalls } from './events.ts';
import type { FileCalls } from './files.ts';
import type { MirrorCalls } from './mirrors.ts';
import type { OperationCalls } from './operations.ts';
import type { ProviderCalls } from './providers.ts';
import type { WritebackCalls } from './writeback.ts';

export interface DeprecatedCalls {
  /** @deprecated Use `files.treePages`. */
  readonly treePages: FileCalls['treePages'];
  /** @deprecated Use `files.stat`. */
  readonly statFile: FileCalls['stat'];
  /** @deprecated Use `files.readRaw`. */
  readonly readRaw: FileCalls['readRaw'];
  /** @deprecated Use `files.writeRaw`. */
  readonly writeRaw: FileCalls['writeRaw'];
  /** @deprecated Use `files.edit`. */
  readonly edit: FileCalls['edit'];
  /** @deprecated Use `files.readMany`. */
  readonly bulkRead: FileCalls['readMany'];
  /** @deprecated Use `files.merge`. */
  readonly mergeFile: FileCalls['merge'];
  /** @deprecated Call `files.all` instead of `files`. */
  readonly files: FileCalls['all'];
  /** @deprecated Use `files.export`. */
  readonly exportWorkspace: FileCalls['export'];
  /** @deprecated Use `events.page`. */
  readonly getEvents: EventCalls['page'];
  /** @deprecated Call `events.all` instead of `events`. */
  readonly events: EventCalls['all'];
  /** @deprecated Use `events.changes`. */
  readonly listChanges: EventCalls['changes'];
  /** @deprecated Use `events.changedResource`. */
  readonly getChangedResource: EventCalls['changedResource'];
  /** @deprecated Use `operations.list`. */
  readonly listOperations: OperationCalls['list'];
  /** @deprecated Call `operations.all` instead of `operations`. */
  readonly operations: OperationCalls['all'];
  /** @deprecated Use `operations.get`. */
  readonly getOperation: OperationCalls['get'];
  /** @deprecated Use `operations.steps`. */
  readonly getOperationSteps: OperationCalls['steps'];
  /** @deprecated Use `operations.replay`. */
  readonly replayOperation: OperationCalls['replay'];
  /** @deprecated Use `operations.replayMany`. */
  readonly replayOperations: OperationCalls['replayMany'];
  /** @deprecated Use `operations.previewReplay`. */
  readonly previewReplay: OperationCalls['previewReplay'];
  /** @deprecated Use `writeback.pending`. */
  readonly listPendingWriteback: WritebackCalls['pending'];
  /** @deprecated Use `writeback.acknowledge`. */
  readonly ackWriteback: WritebackCalls['acknowledge'];
  /** @deprecated Use `writeback.preview`. */
  readonly previewWriteback: WritebackCalls['preview'];
  /** @deprecated Use `writeback.cancel`. */
  readonly cancelWriteback: WritebackCalls['cancel'];
  /** @deprecated Use `writeback.cancelMany`. */
  readonly cancelWritebacks: WritebackCalls['cancelMany'];
  /** @deprecated Use `writeback.retryNow`. */
  readonly sendWritebackNow: WritebackCalls['retryNow'];
  /** @deprecated Use `writeback.retryManyNow`. */
  readonly sendWritebacksNow: WritebackCalls['retryManyNow'];
  /** @deprecated Use `writeback.sweepDrafts`. */
  readonly sweepDrafts: WritebackCalls['sweepDrafts'];
  /** @deprecated Use `providers.refresh`. */
  readonly refresh: ProviderCalls['refresh'];
  /** @deprecated Use `mirrors.explain`. */
  readonly explain: MirrorCalls['explain'];
  /** @deprecated Use `mirrors.waitUntilSynced`. */
  readonly settle: MirrorCalls['waitUntilSynced'];
  /** @deprecated Use `mirrors.pendingDeletions` and `mirrors.resolveHalt`. */
  readonly halts: {
    readonly show: MirrorCalls['pendingDeletions'];
    readonly answer: MirrorCalls['resolveHalt'];
  };
  readonly mirrors: {
    /** @deprecated Use `mirrors.setDeletionLimit`. */
    readonly setGuard: MirrorCalls['setDeletionLimit'];
  };
  /** @deprecated Use `agent.signIn`. */
  readonly signIn: SignInCalls;
  /** @deprecated Use `agent.health`. */
  readonly health: AgentCalls['health'];
  /** @deprecated Use `agent.status`. */
  readonly agentStatus: AgentCalls['status'];
  /** @deprecated Use `agent.clients`. */
  readonly clientsAtWork: AgentCalls['clients'];
  /** @deprecated Use `agent.settings`. */
  readonly agentSettings: AgentCalls['settings'];
  /** @deprecated Use `agent.backup`. */
  readonly backup: AgentCalls['backup'];
  /** @deprecated Use `agent.diagnostics`. */
  readonly diagnostics: AgentCalls['diagnostics'];
  /** @deprecated Use `agent.diagnosticsBundle`. */
  readonly diagnosticsBundle: AgentCalls['diagnosticsBundle'];
  /** @deprecated Use `agent.metrics`. */
  readonly metrics: AgentCalls['metrics'];
  /** @deprecated Use `agent.openApi`. */
  readonly openApi: AgentCalls['openApi'];
}

/** The groups that contain the current methods. */
interface Groups {
  readonly files: FileCalls;
  readonly events: EventCalls;
  readonly operations: OperationCalls;
  readonly writeback: WritebackCalls;
  readonly providers: ProviderCalls;
  readonly mirrors: MirrorCalls;
  readonly agent: AgentCalls;
}

type Current = { readonly [Name in keyof DeprecatedCalls]: (client: Groups) => DeprecatedCalls[Name] };

const current: Current = {
  treePages: ({ files }) => files.treePages.bind(files),
  statFile: ({ files }) => files.stat.bind(files),
  readRaw: ({ files }) => files.readRaw.bind(files),
  writeRaw: ({ files }) => files.writeRaw.bind(files),
  edit: ({ files }) => files.edit.bind(files),
  bulkRead: ({ files }) => files.readMany.bind(files),
  mergeFile: ({ files }) => files.merge.bind(files),
  files: ({ files }) => callable(files, files.all.bind(files)),
  exportWorkspace: ({ files }) => files.export.bind(files),
  getEvents: ({ events }) => events.page.bind(events),
  events: ({ events }) => callable(events, events.all.bind(events)),
  listChanges: ({ events }) => events.changes.bind(events),
  getChangedResource: ({ events }) => events.changedResource.bind(events),
  listOperations: ({ operations }) => operations.list.bind(operations),
  operations: ({ operations }) => callable(operations, operations.all.bind(operations)),
  getOperation: ({ operations }) => operations.get.bind(operations),
  getOperationSteps: ({ operations }) => operations.steps.bind(operations),
  replayOperation: ({ operations }) => operations.replay.bind(operations),
  replayOperations: ({ operations }) => operations.replayMany.bind(operations),
  previewReplay: ({ operations }) => operations.previewReplay.bind(operations),
  listPendingWriteback: ({ writeback }) => writeback.pending.bind(writeback),
  ackWriteback: ({ writeback }) => writeback.acknowledge.bind(writeback),
  previewWriteback: ({ writeback }) => writeback.preview.bind(writeback),
  cancelWriteback: ({ writeback }) => writeback.cancel.bind(writeback),
  cancelWritebacks: ({ writeback }) => writeback.cancelMany.bind(writeback),
  sendWritebackNow: ({ writeback }) => writeback.retryNow.bind(writeback),
  sendWritebacksNow: ({ writeback }) => writeback.retryManyNow.bind(writeback),
  sweepDrafts: ({ writeback }) => writeback.sweepDrafts.bind(writeback),
  refresh: ({ providers }) => providers.refresh.bind(providers),
  explain: ({ mirrors }) => mirrors.explain.bind(mirrors),
  settle: ({ mirrors }) => mirrors.waitUntilSynced.bind(mirrors),
  halts: ({ mirrors }) => ({
    show: mirrors.pendingDeletions.bind(mirrors),
    answer: mirrors.resolveHalt.bind(mirrors),
  }),
  mirrors: ({ mirrors }) => Object.assign(mirrors, { setGuard: mirrors.setDeletionLimit.bind(mirrors) }),
  signIn: ({ agent }) => agent.signIn,
  health: ({ agent }) => agent.health.bind(agent),
  agentStatus: ({ agent }) => agent.status.bind(agent),
  clientsAtWork: ({ agent }) => agent.clients.bind(agent),
  agentSettings: ({ agent }) => agent.settings.bind(agent),
  backup: ({ agent }) => agent.backup.bind(agent),
  diagnostics: ({ agent }) => agent.diagnostics.bind(agent),
  diagnosticsBundle: ({ agent }) => agent.diagnosticsBundle.bind(agent),
  metrics: ({ agent }) => agent.metrics.bind(agent),
  openApi: ({ agent }) => agent.openApi.bind(agent),
};

export function addDeprecatedCalls(client: Groups): void {
  for (const [name, read] of Object.entries(current))
    Object.defineProperty(client, name, { value: read(client) });
}

/** Adds the methods of a group to a function, where a group has the name of a former method. */
function callable<Call extends (...args: never[]) => unknown>(group: object, call: Call): Call {
  const names = Object.getOwnPropertyNames(Object.getPrototypeOf(group)).filter(
    (name) => name !== 'constructor',
  );
  return Object.assign(
    call,
    Object.fromEntries(names.map((name) => [name, Reflect.get(group, name).bind(group)])),
  );
}
