import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { describe, expect, it } from 'vitest';
import { processFile } from '../support/processes.ts';
import { runOnce } from '../support/run-once.ts';
import { scaled } from '../support/scale.ts';
import { openTestStore } from '../support/store.ts';
import { tempFolder } from '../support/temp-folder.ts';

const workspaceId = 'rw_crash001';

interface Acknowledged {
  readonly path: string;
  readonly revision: number;
  readonly text: string;
}

/** Lets the process write until it has acknowledged so many, kills it in the middle of more, and returns what it printed. */
async function writeUntilKilled(
  dataDir: string,
  round: number,
  acknowledgedMin: number,
): Promise<Acknowledged[]> {
  const program = processFile('store-process');
  const child = spawn(process.execPath, [program, dataDir, String(round)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const acknowledged: Acknowledged[] = [];
  const lines = createInterface({ input: child.stdout });
  lines.on('line', (line) => {
    acknowledged.push(JSON.parse(line) as Acknowledged);
    if (acknowledged.length === acknowledgedMin) child.kill('SIGKILL');
  });
  await Promise.all([once(child, 'close'), once(lines, 'close')]);
  return acknowledged;
}

describe('kill -9', () => {
  it('at any moment loses nothing that was acknowledged, and leaves a whole store', {
    ...runOnce,
    timeout: 120_000,
  }, async () => {
    const dataDir = tempFolder('mooring-crash');
    let lastRevision = 0;
    for (let round = 0; round < scaled(4, 100); round += 1) {
      const acknowledged = await writeUntilKilled(dataDir, round, 1 + Math.floor(Math.random() * 150));
      expect(acknowledged.length).toBeGreaterThan(0);
      const { store } = await openTestStore({ dataDir });
      expect(await store.maintenance.integrityCheck()).toEqual([]);
      for (const { path: written, revision, text } of acknowledged) {
        expect(revision, 'a number came twice').toBeGreaterThan(lastRevision);
        const rows = await store.files.history(workspaceId, written, 1, revision + 1);
        expect(rows).toMatchObject([{ revision, action: 'write', correlationId: text }]);
        const bytes = await store.files.read(rows[0]?.hash ?? '');
        expect(
          Buffer.from(bytes ?? [])
            .toString('utf8')
            .replace(/\.+$/, ''),
        ).toBe(text);
      }
      lastRevision = await store.files.lastRevision(workspaceId);
      await store.close();
    }
  });
});
