// What waits for a person, one item a line, worst first: halted mirrors and remotes, folders that are unreachable or not equal, remotes
// without access or offline with changes that wait, conflicts, dead letters and failed operations. Pure.
import type { AgentStatus } from '../../../server/contract/agent.ts';
import type { Remote } from '../../../server/contract/remotes.ts';
import type { Mirror } from '../../../server/contract/workspaces.ts';
import { count, plural } from '../format.ts';
import { remoteHost } from './remote-view.ts';

export interface NeedsYouItem {
  readonly kind: 'halted' | 'failed' | 'warn' | 'paused';
  readonly what: string;
  readonly detail: string;
  readonly workspaceId: string;
  /** Where it is resolved. `mirror`: its card on Overview. */
  readonly at:
    | { readonly kind: 'mirror'; readonly mirrorId: string }
    | { readonly kind: 'screen'; readonly screen: string; readonly filter?: string };
  readonly action: string;
}

/** Numbers by workspace id. */
export interface WaitingWork {
  readonly conflicts: ReadonlyMap<string, number>;
  readonly deadLetters: ReadonlyMap<string, number>;
  readonly failedOperations: ReadonlyMap<string, number>;
}

const rank = ['halted', 'failed', 'warn', 'paused'];

export function needsYouItems(
  { mirrors, remotes }: Pick<AgentStatus, 'mirrors' | 'remotes'>,
  { conflicts, deadLetters, failedOperations }: WaitingWork,
): readonly NeedsYouItem[] {
  const items: NeedsYouItem[] = [
    ...mirrors.flatMap(mirrorItem),
    ...remotes.flatMap(remoteItem),
    ...workItems(conflicts, 'conflict', {
      detail: 'Both versions are kept.',
      screen: 'conflicts',
      action: 'Resolve',
    }),
    ...workItems(deadLetters, 'dead letter', {
      detail: 'Inbound events that could not be applied.',
      screen: 'dead-letters',
      action: 'Repair',
    }),
    ...workItems(failedOperations, 'failed operation', {
      detail: 'Refused by a provider.',
      screen: 'writeback',
      filter: 'failed',
      action: 'Retry',
    }),
  ];
  return items.toSorted((a, b) => rank.indexOf(a.kind) - rank.indexOf(b.kind));
}

interface Work {
  readonly detail: string;
  readonly screen: string;
  readonly filter?: string;
  readonly action: string;
}

function workItems(
  work: ReadonlyMap<string, number>,
  one: string,
  { detail, screen, filter, action }: Work,
): readonly NeedsYouItem[] {
  return [...work]
    .filter(([, number]) => number > 0)
    .map(([workspaceId, number]) => ({
      kind: 'warn',
      what: plural(number, one),
      detail,
      workspaceId,
      at: { kind: 'screen', screen, ...(filter === undefined ? {} : { filter }) },
      action,
    }));
}

function mirrorItem({ workspaceId, mirrorId, dir, state, proof }: Mirror): readonly NeedsYouItem[] {
  const item = (
    kind: NeedsYouItem['kind'],
    what: string,
    detail: string,
    action: string,
  ): readonly NeedsYouItem[] => [
    { kind, what, detail: `${dir}. ${detail}`, workspaceId, at: { kind: 'mirror', mirrorId }, action },
  ];
  if (state === 'halted') return item('halted', 'Halted', 'Nothing was deleted.', 'Decide…');
  if (state === 'error') return item('failed', 'Offline', 'The folder is unreachable.', 'Show cause');
  if (proof.alarm !== null) return item('failed', 'Not equal', 'Both versions are kept.', 'Compare');
  return [];
}

function remoteItem(remote: Remote): readonly NeedsYouItem[] {
  const { workspaceId, state, cause, halt, pendingLocal } = remote;
  const host = remoteHost(remote);
  const item = (kind: NeedsYouItem['kind'], what: string, detail: string): readonly NeedsYouItem[] => [
    { kind, what, detail, workspaceId, at: { kind: 'screen', screen: 'remotes' }, action: 'Open remote' },
  ];
  if (state === 'halted' && halt !== null)
    return item('halted', 'Remote halted', `${host}. Nothing was deleted.`);
  if (state === 'unauthorized')
    return item('failed', 'No access', `${host}: ${cause ?? 'the token is refused'}`);
  if (state === 'error') return item('failed', 'Remote failed', `${host}: ${cause ?? 'the sync failed'}`);
  if (state === 'offline' && pendingLocal > 0)
    return item(
      'paused',
      'Remote offline',
      `${host}: ${plural(pendingLocal, 'change waits', 'changes wait')} here.`,
    );
  return [];
}

/** The remotes in one sentence for the headline; null: none needs a person. Offline is calm while nothing waits. */
export function remoteHeadline(remotes: readonly Remote[]): string | null {
  const having = (state: Remote['state']): number => remotes.filter((each) => each.state === state).length;
  if (having('halted') > 0) return `${plural(having('halted'), 'remote')} halted. Nothing was deleted.`;
  if (having('unauthorized') > 0) return `${plural(having('unauthorized'), 'remote')} without access`;
  if (having('error') > 0) return `${plural(having('error'), 'remote')} failed`;
  const waiting = remotes.filter(({ state, pendingLocal }) => state === 'offline' && pendingLocal > 0);
  if (waiting.length === 0) return null;
  const changes = waiting.reduce((sum, { pendingLocal }) => sum + pendingLocal, 0);
  return `${plural(waiting.length, 'remote')} offline, ${count(changes)} ${changes === 1 ? 'change waits' : 'changes wait'}`;
}
