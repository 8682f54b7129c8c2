import { describe, expect, it } from 'vitest';
import type { OperationStatus } from '../../../server/contract/words.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import {
  type OutboundHarness,
  outboundWorkspace,
  startOutboundHarness,
} from '../../support/outbound-harness.ts';
import { startProvider } from '../../support/provider.ts';
import { waitFor } from '../../support/wait-for.ts';

const any = { status: 'dead_lettered', action: null, provider: null, opIds: null, by: null } as const;

async function withDeadLetters(count: number) {
  const rig = await startOutboundHarness();
  await rig.outbound.providers.add(outboundWorkspace, { name: 'git', kind: 'external' });
  await rig.outbound.providers.add(outboundWorkspace, { name: 'docs', kind: 'external' });
  const opIds: string[] = [];
  for (let index = 0; index < count; index += 1) {
    opIds.push(await rig.put(`/${index % 2 === 0 ? 'git' : 'docs'}/${index}.md`, 'x'));
  }
  for (const opId of opIds) await fail(rig, opId);
  return { rig, opIds };
}

async function fail(rig: OutboundHarness, opId: string): Promise<void> {
  await rig.outbound.transitions.acknowledge(outboundWorkspace, opId, {
    success: false,
    error: 'no',
    externalId: null,
    canonicalPath: null,
    providerResult: null,
    correlationId: 'corr-ack',
    by: null,
  });
}

function replayOf(rig: OutboundHarness) {
  return async (opId: string) => {
    const how = { send: 'current', correlationId: 'corr-many', by: null } as const;
    const outcome = await rig.outbound.transitions.replay(outboundWorkspace, opId, how);
    return outcome === 'queued' ? null : 'it is not dead-lettered';
  };
}

const statusOf = async (rig: OutboundHarness, opId: string): Promise<OperationStatus> =>
  (await rig.op(opId)).status;

describe('what is done to many', () => {
  it('is done oldest first, and one that is refused stops no other', async () => {
    const { rig, opIds } = await withDeadLetters(4);
    const [first = '', second = '', third = '', fourth = ''] = opIds;
    const asked: string[] = [];
    const outcome = await rig.outbound.transitions.each(outboundWorkspace, any, async (opId) => {
      asked.push(opId);
      return opId === second ? 'not this one' : await replayOf(rig)(opId);
    });
    expect(asked).toEqual(opIds);
    expect(outcome).toEqual({
      matched: 4,
      done: 3,
      more: false,
      results: [
        { opId: first, path: '/git/0.md', done: true, message: null },
        { opId: second, path: '/docs/1.md', done: false, message: 'not this one' },
        { opId: third, path: '/git/2.md', done: true, message: null },
        { opId: fourth, path: '/docs/3.md', done: true, message: null },
      ],
    });
    expect(await Promise.all(opIds.map((opId) => statusOf(rig, opId)))).toEqual([
      'pending',
      'dead_lettered',
      'pending',
      'pending',
    ]);
  });

  it('is narrowed by provider and by ids; what is named and does not match says why', async () => {
    const { rig, opIds } = await withDeadLetters(4);
    const [first = '', second = ''] = opIds;
    const ofGit = await rig.outbound.transitions.each(outboundWorkspace, { ...any, provider: 'git' }, null);
    expect(ofGit).toMatchObject({ matched: 2, done: 0 });
    expect(ofGit.results.map(({ path }) => path)).toEqual(['/git/0.md', '/git/2.md']);
    expect(await statusOf(rig, first)).toBe('dead_lettered');
    await replayOf(rig)(first);
    const named = { ...any, opIds: ['op_999', second, first, second] };
    const outcome = await rig.outbound.transitions.each(outboundWorkspace, named, replayOf(rig));
    expect(outcome).toMatchObject({ matched: 1, done: 1, more: false });
    expect(outcome.results.map(({ opId, done, message }) => [opId, done, message])).toEqual([
      [first, false, 'it is pending'],
      [second, true, null],
      ['op_999', false, 'unknown operation'],
    ]);
  });

  it('leaves out what a newer one of the same file takes along', async () => {
    const rig = await startOutboundHarness();
    await rig.outbound.providers.add(outboundWorkspace, { name: 'git', kind: 'external' });
    await rig.put('/git/a.md', 'one');
    const newer = await rig.put('/git/a.md', 'two');
    const pending = { ...any, status: 'pending' } as const;
    const { results } = await rig.outbound.transitions.each(outboundWorkspace, pending, null);
    expect(results.map(({ opId }) => opId)).toEqual([newer]);
  });
});

describe('an item that waits for its next try', () => {
  it('goes at once when somebody asks for that, although its provider was to be left alone', async () => {
    const clock = createManualClock();
    const [provider, rig] = await Promise.all([startProvider(), startOutboundHarness({ clock })]);
    await rig.addHttp('git', provider.url);
    await provider.tell({ behaviour: { kind: 'status', status: 429, retryAfter: '3000' } });
    const opId = await rig.put('/git/a.md', 'x');
    await waitFor('the refusal', async () => (await rig.op(opId)).nextAttemptAtMs !== null);
    await provider.tell({ behaviour: { kind: 'take' } });
    expect(
      await rig.outbound.transitions.retryNow(outboundWorkspace, opId, {
        correlationId: 'corr-now',
        by: null,
      }),
    ).toBe('due');
    expect(await rig.reaches(opId, 'succeeded')).toMatchObject({ attemptCount: 2 });
    const steps = await rig.store.operations.steps(outboundWorkspace, opId);
    expect(steps.map(({ kind, correlationId }) => [kind, correlationId])).toEqual([
      ['attempt', null],
      ['hastened', 'corr-now'],
      ['attempt', null],
    ]);
    expect(provider.items.map(({ id }) => id)).toEqual([opId, opId]);
  });

  it('is refused with the reason when nobody could send it', async () => {
    const [provider, rig] = await Promise.all([startProvider(), startOutboundHarness()]);
    const sendNow = (opId: string) =>
      rig.outbound.transitions.retryNow(outboundWorkspace, opId, { correlationId: 'corr-now', by: null });
    await rig.addHttp('git', provider.url);
    await rig.outbound.providers.add(outboundWorkspace, { name: 'docs', kind: 'external' });
    await rig.outbound.providers.setPaused(outboundWorkspace, 'git', true);
    const older = await rig.put('/git/a.md', 'one');
    const newer = await rig.put('/git/a.md', 'two');
    expect(await sendNow('op_999')).toBe('unknown');
    expect(await sendNow(older)).toEqual({ refused: `it is superseded: ${newer} sends its change` });
    expect(await sendNow(newer)).toEqual({ refused: 'sending to git is paused' });
    expect(await sendNow(await rig.put('/docs/a.md', 'x'))).toEqual({
      refused: 'Mooring does not send to docs: an external consumer does',
    });
    await rig.outbound.providers.setPaused(outboundWorkspace, 'git', false);
    await rig.reaches(newer, 'succeeded');
    expect(await sendNow(newer)).toEqual({ refused: 'it is succeeded' });
  });
});
