// Notes in the private folder use the folder that the mirror has open, and never another one beside it.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { WorkerFolder } from '../../../server/disk/worker/worker-folder.ts';
import { startMirrorHarness } from '../../support/mirror-harness.ts';

const notes = [{ name: 'state.json', text: '{}\n' }] as const;

test('a note opens no folder: not while the mirror starts, not at rest, and not in a pause', async () => {
  let opened = 0;
  const rig = await startMirrorHarness({
    openFolder: (listener) => {
      opened += 1;
      return new WorkerFolder(listener);
    },
  });
  const { mirrorId } = await rig.manager.add(rig.workspaceId, rig.root);
  await rig.manager.folders.writeNotes(mirrorId, notes);
  await rig.settle();
  expect(await rig.manager.folders.writeNotes(mirrorId, notes)).toBe(true);
  await rig.manager.pause(rig.workspaceId, mirrorId);
  const inPause = [{ name: 'state.json', text: '{"paused":true}\n' }] as const;
  expect(await rig.manager.folders.writeNotes(mirrorId, inPause)).toBe(true);
  expect(readFileSync(path.join(rig.root, '.mooring/state.json'), 'utf8')).toBe(inPause[0].text);
  expect(opened).toBe(1);
});
