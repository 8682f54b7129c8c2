import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';
import type { Store } from '../../server/store/port/store.ts';
import { processFile } from '../support/processes.ts';
import { runOnce } from '../support/run-once.ts';
import { scaled } from '../support/scale.ts';
import { openTestStore } from '../support/store.ts';
import { tempFolder } from '../support/temp-folder.ts';

const workspaceId = 'rw_forks001';
const actor = { kind: 'system', name: 'system', tokenId: null } as const;

interface Line {
  readonly kind: 'staged' | 'committed';
  readonly caller: number;
  readonly forkId: string;
  readonly path: string;
  readonly text: string;
}

async function forkUntilKilled(dataDir: string, round: number, linesMin: number): Promise<readonly Line[]> {
  const program = processFile('fork-process');
  const child = spawn(process.execPath, [program, dataDir, String(round)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const printed: Line[] = [];
  const lines = createInterface({ input: child.stdout });
  lines.on('line', (line) => {
    printed.push(JSON.parse(line) as Line);
    if (printed.length === linesMin) child.kill('SIGKILL');
  });
  await Promise.all([once(child, 'close'), once(lines, 'close')]);
  return printed;
}

async function textAt(store: Store, forkId: string | null, path: string): Promise<string | null> {
  const entry =
    forkId === null
      ? await store.files.get(workspaceId, path)
      : (await store.forks.getChecked(forkId, path, null)).entry;
  if (entry?.type !== 'file') return null;
  const bytes = await store.files.read(entry.hash);
  return bytes === null ? null : Buffer.from(bytes).toString('utf8').replace(/\.+$/, '');
}

it('kill -9 at any moment leaves each commit of a fork whole or not begun, and what was staged where it was', {
  ...runOnce,
  timeout: 120_000,
}, async () => {
  const dataDir = tempFolder('mooring-fork-crash');
  for (let round = 0; round < scaled(3, 60); round += 1) {
    const lines = await forkUntilKilled(dataDir, round, 1 + Math.floor(Math.random() * 90));
    const { store } = await openTestStore({ dataDir });
    expect(await store.maintenance.integrityCheck()).toEqual([]);
    for (const caller of [0, 1, 2]) {
      const own = lines.filter((line) => line.caller === caller);
      const texts = await Promise.all(
        [0, 1, 2, 3].map((file) => textAt(store, null, `/c${caller}/f${file}`)),
      );
      expect(new Set(texts).size, `half of a commit: ${texts.join()}`).toBe(1);
      const numberOf = (text: string | null | undefined) => Number(text?.split('-')[2] ?? -1);
      const committed = own.findLast(({ kind }) => kind === 'committed');
      if (committed !== undefined)
        expect(numberOf(texts[0])).toBeGreaterThanOrEqual(numberOf(committed.text));
      for (const { kind, forkId, path, text } of own) {
        if (kind !== 'staged' || (await store.forks.find(workspaceId, forkId)) === null) continue;
        expect(await textAt(store, forkId, path)).toBe(text);
      }
    }
    for (const { forkId } of await store.forks.list(workspaceId))
      await store.content.discardFork({ workspaceId, forkId, access: null, actor });
    await store.maintenance.applyRetention(Date.now());
    expect(await store.maintenance.integrityCheck()).toEqual([]);
    await store.close();
  }
});
