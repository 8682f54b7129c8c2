// kill -9 where a mirror of a fork has stored what it agreed on, or not yet; then a new start: the end is the same, and the
// workspace does not change.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import type { KillPoint } from '../../server/mirror/state/context.ts';
import { type MirrorHarness, startMirrorHarness } from '../support/mirror-harness.ts';
import { processFile } from '../support/processes.ts';

const points: readonly KillPoint[] = [
  'upload.committed',
  'merge.committed',
  'download.intended',
  'download.applied',
  'download.agreed',
];

describe('kill -9 with the mirror of a fork', () => {
  it.each(points)('at %s loses nothing, and leaves the workspace unchanged', async (point) => {
    const rig = await startMirrorHarness();
    const names = ['edited-here', 'edited-there', 'deleted-here', 'deleted-there', 'kept', 'moved'];
    for (const name of names) await rig.put(`/${name}`, `base of ${name}`);
    await rig.put('/merged.txt', 'one\ntwo\nthree\n');
    const live = await rig.workspace();
    const forkId = await forkOf(rig);
    const { mirrorId } = await rig.manager.add(rig.workspaceId, rig.root, { forkId });
    await settle(rig, forkId);
    await rig.manager.pause(rig.workspaceId, mirrorId);
    rig.write('edited-here', 'new here');
    rig.write('merged.txt', 'ONE\ntwo\nthree\n');
    rig.remove('deleted-here');
    rig.rename('moved', 'there/moved');
    rig.write('created-here', 'c');
    await stage(rig, forkId, {
      '/edited-there': 'new there',
      '/merged.txt': 'one\ntwo\nTHREE\n',
      '/deleted-there': null,
      '/created-there': 'c',
    });
    await rig.store.mirrors.update({ mirrorId, patch: { paused: false } });
    await rig.stop();

    expect(await runUntilKilled(rig, point, forkId)).toBe('SIGKILL');
    await rig.start();
    await settle(rig, forkId);

    const expected = {
      '/created-here': 'c',
      '/created-there': 'c',
      '/edited-here': 'new here',
      '/edited-there': 'new there',
      '/kept': 'base of kept',
      '/merged.txt': 'ONE\ntwo\nTHREE\n',
      '/there/moved': 'base of moved',
    };
    expect(rig.folder()).toEqual(expected);
    const access = null;
    const request = { workspaceId: rig.workspaceId, forkId, access, actor, correlationId: 'corr-fork' };
    expect(await rig.workspace()).toEqual(live);
    expect(await rig.forks.commit(request)).toMatchObject({ kind: 'committed', isWhole: true });
    expect(await rig.workspace()).toEqual(expected);
    await rig.stop();
  });
});

const actor = { kind: 'token', name: 'tester', tokenId: null } as const;

async function forkOf(rig: MirrorHarness): Promise<string> {
  const created = await rig.forks.create({
    workspaceId: rig.workspaceId,
    proposalId: 'killed',
    ttlSeconds: 3600,
    by: actor,
    creatorTokens: [],
  });
  if (created.kind !== 'open') throw new Error(created.kind);
  return created.fork.forkId;
}

async function settle(rig: MirrorHarness, forkId: string): Promise<void> {
  const outcome = await rig.manager.ofForks.settle(forkId, { timeoutMs: 30_000 });
  if (outcome?.settled !== true) throw new Error(`not settled: ${JSON.stringify(outcome, null, 1)}`);
}

/** Path -> text; null: deleted. */
async function stage(
  rig: MirrorHarness,
  forkId: string,
  texts: Readonly<Record<string, string | null>>,
): Promise<void> {
  const precondition = { kind: 'any' } as const;
  const changes = await Promise.all(
    Object.entries(texts).map(async ([path, text]) =>
      text === null
        ? ({ kind: 'delete_file', path, precondition } as const)
        : ({
            kind: 'write_file',
            path,
            precondition,
            content: await rig.workspaces.stage(Buffer.from(text)),
            defaultContentType: 'text/plain',
            encoding: 'utf-8',
          } as const),
    ),
  );
  const { workspaceId } = rig;
  const more = { origin: 'agent_write', makesOperations: false, correlationId: 'corr-fork' } as const;
  const results = await rig.forks.change({
    workspaceId,
    forkId,
    changes,
    atomic: true,
    actor,
    access: null,
    ...more,
  });
  expect(results.every(({ ok }) => ok)).toBe(true);
}

async function runUntilKilled(rig: MirrorHarness, point: KillPoint, forkId: string): Promise<string | null> {
  const script = processFile('mirror-until-killed');
  const child = spawn(process.execPath, [script, rig.base, rig.workspaceId, point, forkId], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [, signal] = (await once(child, 'close')) as [number | null, string | null];
  return signal;
}
