// How often the notes are written, on a driven clock. What they say and where: test/flow/folder-notes.test.ts.
import { expect, test } from 'vitest';
import type { Mirror } from '../../server/contract/workspaces.ts';
import { FolderNotes } from '../../server/folder-notes/folder-notes.ts';
import type { FolderNote } from '../../server/mirror/manager/port.ts';
import { createLogger } from '../../server/platform/observe/logger.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { openTestStore, testWorkspace } from '../support/store.ts';
import { waitFor } from '../support/wait-for.ts';

async function notesOfOneFolder() {
  const { store } = await openTestStore();
  const clock = createManualClock();
  const written: (readonly FolderNote[])[] = [];
  const mirror = {
    workspaceId: testWorkspace,
    dir: '/folder',
    path: '/',
    mode: 'two-way',
    state: 'idle',
    halt: null,
  } as Mirror;
  const now = { ...mirror, files: 0, pendingLocal: 0, pendingRemote: 0, problems: 0, problemList: [] };
  let changed: (mirrorId: string) => void = () => undefined;
  const notes = new FolderNotes({
    mirrors: {
      folders: {
        onChange(listener) {
          changed = listener;
          return () => undefined;
        },
        mirrorIds: () => ['m1'],
        get: () => Promise.resolve({ mirror: now, forkId: null, conflicts: [] }),
        dir: () => now.dir,
        writeNotes(_mirrorId, replaced) {
          written.push(replaced);
          return Promise.resolve(true);
        },
      },
    },
    store,
    clock,
    logger: createLogger({ level: 'silent' }),
  });
  notes.start('http://127.0.0.1:1');
  await waitFor('the first notes', () => written.length === 1 && clock.delays() === 2);
  return {
    written,
    clock,
    /** The mirror has so many files now. */
    setFiles(files: number) {
      now.files = files;
      changed('m1');
    },
    notes,
  };
}

const filesIn = (notes: readonly FolderNote[] | undefined) =>
  (JSON.parse(notes?.find(({ name }) => name === 'state.json')?.text ?? '{}') as { files?: number }).files;

test('a thousand changes within a second are written once, at its end, with the last state', async () => {
  const { written, clock, setFiles, notes } = await notesOfOneFolder();
  for (let files = 1; files <= 1000; files += 1) setFiles(files);
  clock.advance(999);
  expect(written).toHaveLength(1);
  clock.advance(1);
  await waitFor('the second notes', () => written.length === 2 && clock.delays() === 2);
  expect(filesIn(written[1])).toBe(1000);
  // Nothing has changed: no write, and no timer but that of the refresh.
  setFiles(1000);
  clock.advance(1000);
  await waitFor('the end of the second', () => clock.delays() === 1);
  expect(written).toHaveLength(2);
  await notes.stop();
  expect(written).toHaveLength(3);
  expect(written[2]?.[1]?.text).toContain('"state": "stopped"');
});
