// The deprecated flat names of the client send the same request as the current method of their group.
import { expect, it } from 'vitest';
import { MooringClient } from '../../sdk/index.ts';

type Call = (...args: readonly unknown[]) => unknown;

const id = ['rw_x', 'id'];
const names: readonly (readonly [former: string, current: string, args: readonly unknown[]])[] = [
  ['treePages', 'files.treePages', ['rw_x', { path: '/a' }]],
  ['statFile', 'files.stat', id],
  ['readRaw', 'files.readRaw', ['rw_x', '/a', { start: 1 }]],
  ['writeRaw', 'files.writeRaw', ['rw_x', '/a', new Uint8Array(1)]],
  ['edit', 'files.edit', ['rw_x', '/a', () => null]],
  ['bulkRead', 'files.readMany', ['rw_x', ['/a']]],
  ['mergeFile', 'files.merge', ['rw_x', '/a', { base: 'rev_1' }]],
  ['files', 'files.all', ['rw_x', { provider: 'p' }]],
  ['exportWorkspace', 'files.export', ['rw_x', { format: 'tar' }]],
  ['getEvents', 'events.page', ['rw_x', { limit: 1 }]],
  ['events', 'events.all', ['rw_x', { path: '/a' }]],
  ['listChanges', 'events.changes', ['rw_x', { last: 1 }]],
  ['getChangedResource', 'events.changedResource', id],
  ['listOperations', 'operations.list', ['rw_x', { status: 'pending' }]],
  ['operations', 'operations.all', ['rw_x', { status: 'pending' }]],
  ['getOperation', 'operations.get', id],
  ['getOperationSteps', 'operations.steps', id],
  ['replayOperation', 'operations.replay', id],
  ['replayOperations', 'operations.replayMany', ['rw_x', { send: 'original' }]],
  ['previewReplay', 'operations.previewReplay', id],
  ['listPendingWriteback', 'writeback.pending', ['rw_x']],
  ['ackWriteback', 'writeback.acknowledge', ['rw_x', 'op_1', { success: false }]],
  ['previewWriteback', 'writeback.preview', id],
  ['cancelWriteback', 'writeback.cancel', id],
  ['cancelWritebacks', 'writeback.cancelMany', ['rw_x', { dryRun: true }]],
  ['sendWritebackNow', 'writeback.retryNow', id],
  ['sendWritebacksNow', 'writeback.retryManyNow', ['rw_x', { dryRun: true }]],
  ['sweepDrafts', 'writeback.sweepDrafts', ['rw_x', { apply: true }]],
  ['refresh', 'providers.refresh', ['rw_x', { provider: 'p' }]],
  ['explain', 'mirrors.explain', ['rw_x', '/a']],
  ['settle', 'mirrors.waitUntilSynced', [{ timeoutMs: 1 }]],
  ['halts.show', 'mirrors.pendingDeletions', ['rw_x', 'mir_1', { limit: 1 }]],
  ['halts.answer', 'mirrors.resolveHalt', ['rw_x', 'mir_1', { answer: 'restore' }]],
  ['mirrors.setGuard', 'mirrors.setDeletionLimit', ['rw_x', 'mir_1', 5]],
  ['signIn.link', 'agent.signIn.link', []],
  ['signIn.exchange', 'agent.signIn.exchange', ['code']],
  ['signIn.renew', 'agent.signIn.renew', []],
  ['health', 'agent.health', []],
  ['agentStatus', 'agent.status', []],
  ['clientsAtWork', 'agent.clients', []],
  ['agentSettings', 'agent.settings', []],
  ['backup', 'agent.backup', ['/dir']],
  ['diagnostics', 'agent.diagnostics', []],
  ['diagnosticsBundle', 'agent.diagnosticsBundle', []],
  ['metrics', 'agent.metrics', []],
  ['openApi', 'agent.openApi', []],
  ['listTree', 'files.tree', ['rw_x', { depth: 2 }]],
  ['readFile', 'files.read', ['rw_x', '/a', { revision: 'rev_1' }]],
  ['writeFile', 'files.write', ['rw_x', '/a', 'x', { ifMatch: '0' }]],
  ['bulkWrite', 'files.writeMany', ['rw_x', [{ path: '/a', content: 'x' }]]],
  ['deleteFile', 'files.delete', ['rw_x', '/a', { ifMatch: 'rev_1' }]],
  ['queryFiles', 'files.query', ['rw_x', { relation: 'r' }]],
];

const sent: unknown[] = [];
const client = new MooringClient({
  baseUrl: 'http://agent',
  token: 't',
  correlationId: 'c',
  fetch: (input, { method, body, headers } = {}) => {
    sent.push([method, String(input), body, Object.fromEntries(new Headers(headers))]);
    return Promise.resolve(Response.json({ nextCursor: null, items: [], entries: [], events: [] }));
  },
});

async function requestsOf(name: string, args: readonly unknown[]): Promise<readonly unknown[]> {
  const owners = name.split('.').slice(0, -1);
  const owner = owners.reduce<object>((object, key) => Reflect.get(object, key) as object, client);
  const call = Reflect.get(owner, name.split('.').at(-1) ?? '') as Call;
  const result = call.apply(owner, [...args]) as Promise<unknown> | AsyncGenerator;
  if (Symbol.asyncIterator in result) await result.next();
  else await result;
  return sent.splice(0);
}

it.each(names)('%s is %s', async (former, current, args) => {
  const requests = await requestsOf(current, args);
  expect(requests).toHaveLength(1);
  expect(await requestsOf(former, args)).toEqual(requests);
});

it('covers every name on the client that is not a group', () => {
  const own = Object.getOwnPropertyNames(client).filter(
    (name) => typeof Reflect.get(client, name) === 'function',
  );
  const flat = names.map(([former]) => former.split('.')[0]);
  expect(own.filter((name) => !flat.includes(name))).toEqual([]);
});
