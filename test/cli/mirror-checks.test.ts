// `mooring mirror prove`: its output and exit codes.
import path from 'node:path';
import Database from 'better-sqlite3';
import { expect, it, vi } from 'vitest';
import { mooring, startAgent } from '../support/agent-process.ts';
import { freshWorkspace } from '../support/client-of.ts';
import { tempFolder } from '../support/temp-folder.ts';

vi.setConfig({ testTimeout: 300_000 });

it('reports whether folder and workspace are equal, and exits with 1 when the base is corrupted', async () => {
  const agent = await startAgent();
  const { workspaceId, client, owner } = await freshWorkspace(agent);
  await client.writeFile(workspaceId, '/a.md', 'a');
  await client.writeFile(workspaceId, '/d/b.md', 'b');
  const dir = tempFolder('mooring-mirror');
  await owner.mirrors.add(workspaceId, dir);
  expect((await owner.mirrors.waitUntilSynced({ workspaceId })).settled).toBe(true);
  const run = async (...args: readonly string[]) => await mooring(args, { dataDir: agent.dataDir });

  const equal = await run('mirror', 'prove', '--workspace', workspaceId);
  expect(equal).toMatchObject({ code: 0, stderr: '' });
  expect(equal.stdout).toMatch(/: proved equal at \d\d:\d\d:\d\d \(2 files, all hashed\)\n$/);
  expect((await run('status')).stdout).toMatch(/: proved equal at \d\d:\d\d:\d\d \(2 files/);

  // The trigger keeps the row, which the agent would otherwise delete.
  const database = new Database(path.join(agent.dataDir, 'mooring.db'));
  database.exec(
    `INSERT INTO mirror_base SELECT mirror_id, '/d/ghost.md', hash, size, mtime_ns, ctime_ns, inode, mode, revision, trusted
       FROM mirror_base WHERE path = '/d/b.md';
     CREATE TRIGGER keep BEFORE DELETE ON mirror_base WHEN OLD.path = '/d/ghost.md' BEGIN SELECT RAISE(IGNORE); END`,
  );
  const different = await run('mirror', 'prove');
  expect(different.code).toBe(1);
  expect(different.stdout).toContain('NOT EQUAL since');
  expect(different.stdout).toContain('/d/ghost.md');
  expect(await owner.agent.metrics()).toContain('mooring_mirror_proof_alarms_total 1');

  expect((await run('status')).stdout).toContain('/d/ghost.md: No listed problem explains this difference');
  database.exec("DROP TRIGGER keep; DELETE FROM mirror_base WHERE path = '/d/ghost.md'");
  database.close();
  const again = await run('mirror', 'prove', '--workspace', workspaceId, '--dir', dir, '--json');
  expect(again.code).toBe(0);
  expect(JSON.parse(again.stdout)).toMatchObject({
    proofs: [{ outcome: 'equal', proof: { state: 'equal' } }],
  });

  await run('mirror', 'pause', '--workspace', workspaceId);
  expect(await run('mirror', 'prove')).toMatchObject({ code: 4 });
  expect((await run('status')).stdout).toContain(', until the pause');
  expect(await run('mirror', 'prove', '--dir', dir)).toMatchObject({ code: 4 });
});
