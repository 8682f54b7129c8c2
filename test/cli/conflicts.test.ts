// `mooring conflicts` on a conflict of a real mirror.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, vi } from 'vitest';
import type { ConflictDetail } from '../../sdk/index.ts';
import { agentOfFile, type CommandResult, mooring } from '../support/agent-process.ts';
import { freshWorkspace } from '../support/client-of.ts';
import { tempFolder } from '../support/temp-folder.ts';

vi.setConfig({ testTimeout: 300_000 });

const agent = agentOfFile();

async function run(...args: readonly string[]): Promise<CommandResult> {
  return await mooring(args, { dataDir: agent.dataDir });
}

async function inConflict(): Promise<{ dir: string; conflictId: string; settle: () => Promise<void> }> {
  const { workspaceId, client, owner } = await freshWorkspace(agent);
  const dir = tempFolder('mooring-mirror');
  const settle = async () => {
    expect((await owner.mirrors.waitUntilSynced({ workspaceId })).settled).toBe(true);
  };
  writeFileSync(path.join(dir, 'plan.md'), 'base\n');
  const { mirrorId } = await owner.mirrors.add(workspaceId, dir);
  await settle();
  await owner.mirrors.pause(workspaceId, mirrorId);
  writeFileSync(path.join(dir, 'plan.md'), 'folder\n');
  await client.writeFile(workspaceId, '/plan.md', 'workspace\n');
  await owner.mirrors.resume(workspaceId, mirrorId);
  await settle();
  const [conflict] = await owner.conflicts.list(workspaceId);
  if (conflict === undefined) throw new Error('there is no conflict');
  return { dir, conflictId: conflict.conflictId, settle };
}

it('lists a conflict, shows its hunks, and resolves it with a merged file', async () => {
  const { dir, conflictId, settle } = await inConflict();
  const listed = await run('conflicts', 'list');
  expect(listed.stdout).toContain(`${conflictId}  `);
  expect(listed.stdout).toContain('both edited');
  const shown = await run('conflicts', 'show', conflictId);
  expect(shown.stdout).toContain('folder    | folder');
  expect(shown.stdout).toContain('workspace | workspace');
  const detail = JSON.parse((await run('conflicts', 'show', conflictId, '--json')).stdout) as ConflictDetail;
  expect(detail.base?.content).toBe('base\n');

  const merged = path.join(tempFolder('merged'), 'plan.md');
  writeFileSync(merged, 'both\n');
  const resolved = await run('conflicts', 'resolve', conflictId, '--merged', merged, '--json');
  expect(JSON.parse(resolved.stdout)).toMatchObject({ conflictId, kept: 'merged', path: '/plan.md' });
  await settle();
  expect(readFileSync(path.join(dir, 'plan.md'), 'utf8')).toBe('both\n');
  expect(JSON.parse((await run('conflicts', 'list', '--json')).stdout)).toEqual({ conflicts: [] });
  expect(await run('conflicts', 'resolve', conflictId, '--keep', 'both')).toMatchObject({ code: 1 });
});

it('keeps one version, and refuses missing or contradictory options', async () => {
  const { dir, conflictId, settle } = await inConflict();
  for (const args of [[], ['--keep', 'mine'], ['--keep', 'both', '--merged', '/x']]) {
    expect(await run('conflicts', 'resolve', conflictId, ...args)).toMatchObject({ code: 2 });
  }
  expect(await run('conflicts', 'resolve', conflictId, '--merged', '/none')).toMatchObject({ code: 1 });
  expect(await run('conflicts', 'resolve', conflictId, '--keep', 'folder')).toMatchObject({ code: 0 });
  await settle();
  expect(readFileSync(path.join(dir, 'plan.md'), 'utf8')).toBe('folder\n');
});
