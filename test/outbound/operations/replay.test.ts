import { describe, expect, it } from 'vitest';
import {
  type OutboundHarness,
  outboundWorkspace,
  startOutboundHarness,
} from '../../support/outbound-harness.ts';
import { type ProviderProcess, startProvider } from '../../support/provider.ts';

const how = (send: 'current' | 'original') => ({ send, correlationId: 'corr-replay', by: null });

async function withDeadLetter(): Promise<{ provider: ProviderProcess; rig: OutboundHarness; opId: string }> {
  const [provider, rig] = await Promise.all([startProvider(), startOutboundHarness()]);
  await rig.addHttp('git', provider.url);
  await provider.tell({ behaviour: { kind: 'status', status: 422 }, next: 1 });
  const opId = await rig.put('/git/a.md', 'one');
  await rig.reaches(opId, 'dead_lettered');
  return { provider, rig, opId };
}

describe('a replay', () => {
  it('sends the same again under the same key while nothing has changed, with its attempts from the start', async () => {
    const { provider, rig, opId } = await withDeadLetter();
    expect(await rig.outbound.transitions.replay(outboundWorkspace, opId, how('current'))).toBe('queued');
    expect(await rig.reaches(opId, 'succeeded')).toMatchObject({ attemptCount: 1, lastError: null });
    expect(provider.items.map((call) => call.id)).toEqual([opId, opId]);
    const story = await rig.outbound.operations.detail(outboundWorkspace, opId, { by: null });
    expect(story?.actor).toEqual({ kind: 'token', name: 'tester', tokenId: 'tok_1' });
    expect(story?.steps.map(({ kind, outcome, correlationId }) => [kind, outcome, correlationId])).toEqual([
      ['attempt', 'refused', null],
      ['replayed', 'current', 'corr-replay'],
      ['attempt', 'delivered', null],
    ]);
  });

  it('sends what the file is now under a new key, so that nothing older goes over something newer', async () => {
    const { provider, rig, opId } = await withDeadLetter();
    await rig.reaches(await rig.put('/git/a.md', 'two'), 'succeeded');
    await rig.outbound.transitions.replay(outboundWorkspace, opId, how('current'));
    await rig.reaches(opId, 'succeeded');
    expect(provider.items.map(({ id, data }) => `${id} ${data.content}`)).toEqual([
      `${opId} one`,
      'op_2 two',
      `${opId}.1 two`,
    ]);
  });

  it('sends that the file is gone, when it is', async () => {
    const { provider, rig, opId } = await withDeadLetter();
    await rig.reaches(await rig.remove('/git/a.md'), 'succeeded');
    const preview = await rig.outbound.operations.preview(outboundWorkspace, opId, 'current');
    expect(preview).toMatchObject({ action: 'file_delete' });
    await rig.outbound.transitions.replay(outboundWorkspace, opId, how('current'));
    expect(await rig.reaches(opId, 'succeeded')).toMatchObject({ action: 'file_delete' });
    expect(provider.items.at(-1)?.type).toBe('file.deleted');
  });

  it('sends the original when that is asked for, and its preview says what is newer', async () => {
    const { provider, rig, opId } = await withDeadLetter();
    const newer = await rig.put('/git/a.md', 'two');
    const { revision } = await rig.reaches(newer, 'succeeded');
    const calls = provider.items.length;
    const preview = await rig.outbound.operations.preview(outboundWorkspace, opId, 'original');
    expect(preview?.warnings).toEqual([
      `the provider has rev_${revision} of this file, which is newer than what this would send`,
    ]);
    expect(preview?.diff).toMatch(/^-two$/m);
    expect((await rig.outbound.operations.preview(outboundWorkspace, opId, 'current'))?.diff).toBe('');
    expect(provider.items).toHaveLength(calls);
    await rig.outbound.transitions.replay(outboundWorkspace, opId, how('original'));
    await rig.reaches(opId, 'succeeded');
    expect(provider.items.at(-1)).toMatchObject({ id: opId, data: { content: 'one' } });
  });

  it('of what a waiting one carries anyway is carried along by it', async () => {
    const { provider, rig, opId } = await withDeadLetter();
    await rig.outbound.providers.setPaused(outboundWorkspace, 'git', true);
    const newer = await rig.put('/git/a.md', 'two');
    await rig.outbound.transitions.replay(outboundWorkspace, opId, how('current'));
    expect(await rig.op(opId)).toMatchObject({ status: 'pending', supersededBy: newer });
    await rig.outbound.providers.setPaused(outboundWorkspace, 'git', false);
    await rig.reaches(opId, 'succeeded');
    expect(provider.taken).toEqual(['/git/a.md two']);
  });

  it('is possible for dead letters only, and for an operation that there is', async () => {
    const { rig, opId } = await withDeadLetter();
    const done = await rig.put('/docs/a.md', 'x');
    expect(await rig.outbound.transitions.replay(outboundWorkspace, done, how('current'))).toBe(
      'invalid_state',
    );
    expect(await rig.outbound.transitions.replay(outboundWorkspace, 'op_99', how('current'))).toBe('unknown');
    expect(await rig.outbound.transitions.replayAnywhere(opId, how('current'))).toBe('queued');
    expect(await rig.outbound.transitions.replayAnywhere('op_99', how('current'))).toBe('unknown');
    expect(await rig.outbound.operations.detail(outboundWorkspace, 'op_99', { by: null })).toBeNull();
  });
});
