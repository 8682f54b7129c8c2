// Thousands of identical problems: a short summary by cause and directory, and every path on request.
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, vi } from 'vitest';
import type { AgentStatus, MirrorProblems } from '../../sdk/index.ts';
import { mooring, startAgent } from '../support/agent-process.ts';
import { freshWorkspace } from '../support/client-of.ts';
import { tempFolder } from '../support/temp-folder.ts';

vi.setConfig({ testTimeout: 300_000 });

const linksIn = { 'share/zoneinfo': 1790, 'share/zoneinfo/posix': 600, 'share/man': 900, lib: 775 } as const;
const links = 4065;

function folderOfLinks(): string {
  const dir = tempFolder('mooring-mirror');
  writeFileSync(path.join(dir, 'a.txt'), 'a');
  for (const [directory, count] of Object.entries(linksIn)) {
    mkdirSync(path.join(dir, directory), { recursive: true });
    for (let n = 0; n < count; n += 1) symlinkSync('../UTC', path.join(dir, directory, `link${n}`));
  }
  execFileSync('sh', ['-c', 'mkfifo "$1"', 'sh', path.join(dir, 'pipe')]);
  return dir;
}

it('summarizes problems by cause and directory, and lists every path on request', async () => {
  const agent = await startAgent();
  const { workspaceId, owner } = await freshWorkspace(agent);
  const dir = folderOfLinks();
  const run = async (...args: readonly string[]) => await mooring(args, { dataDir: agent.dataDir });
  await owner.mirrors.add(workspaceId, dir);
  const waited = await run('sync', '--wait');
  expect(waited.code).toBe(0);
  const status = await run('status');
  for (const text of [waited.stderr, status.stdout]) {
    const lines = text
      .split('\n')
      .filter((line) => line.startsWith(`${dir}: `) || line.includes('mirror problems'));
    expect(lines.length).toBeLessThanOrEqual(10);
    expect(text).toContain('4,065 symbolic links are not synced; largest: share/zoneinfo (2,390)');
    expect(text).toContain('/pipe');
    expect(text).toContain('mooring mirror problems');
  }

  const { mirrors } = JSON.parse((await run('status', '--json')).stdout) as AgentStatus;
  expect(mirrors[0]).toMatchObject({ problems: links + 1 });
  expect(mirrors[0]?.problemList).toHaveLength(100);
  expect(mirrors[0]?.problemList.some(({ kind }) => kind === 'special_file')).toBe(true);
  expect(mirrors[0]?.problemGroups).toMatchObject([
    { kind: 'symlink', count: links, listed: links },
    { kind: 'special_file', count: 1 },
  ]);

  const overview = await run('mirror', 'problems');
  expect(overview.stdout.trim().split('\n').length).toBeLessThanOrEqual(11);
  expect(overview.stdout).toMatch(
    /symlink +4065 +share\/zoneinfo \(2,390\), share\/man +No action.*\n +\(900\), lib \(775\)/,
  );
  const all = JSON.parse((await run('mirror', 'problems', '--json')).stdout) as MirrorProblems;
  expect(all.items).toHaveLength(links + 1);
  expect(new Set(all.items.map((item) => item.path)).size).toBe(links + 1);
  const pipes = JSON.parse(
    (await run('mirror', 'problems', '--cause', 'special_file', '--json')).stdout,
  ) as MirrorProblems;
  expect(pipes.items.map((item) => item.path)).toEqual(['/pipe']);
  const few = await run('mirror', 'problems', '--cause', 'symlink', '--limit', '20');
  expect(few.stdout.trim().split('\n')).toHaveLength(21);
  expect(await run('mirror', 'problems', '--cause', 'nothing')).toMatchObject({ code: 0, stdout: '' });
});
