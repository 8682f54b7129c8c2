// What is created again after a deletion, with the same bytes, is sent again.
import { expect, it } from 'vitest';
import { type Desktop, drop, expectInStep, put, remoteScene } from '../../support/remote-scene.ts';

it('sends a file that is created again with the bytes that it had before its deletion', async () => {
  const scene = await remoteScene(1, { '/kept.md': 'kept\n' });
  const [desktop] = scene.desktops as [Desktop];
  for (let round = 0; round < 2; round += 1) {
    put(desktop, 'again.md', 'the same\n');
    expect((await expectInStep(scene)).has('/again.md')).toBe(true);
    drop(desktop, 'again.md');
    expect((await expectInStep(scene)).has('/again.md')).toBe(false);
  }
});
