// The published mount program of the reference, unmodified, beside a mirror of ours and the reference's SDK on the same workspace.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { RelayFileClient } from '@relayfile/sdk';
import { expect, it } from 'vitest';
import { startAgent } from '../support/agent-process.ts';
import { freshWorkspace } from '../support/client-of.ts';
import {
  mountedFiles,
  mountRunsHere,
  mountSkipReason,
  startMount,
  untilMountHasSeen,
  untilMountWatches,
} from '../support/relayfile-mount.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { differences, hashFolder, hashTar, putFile } from '../support/trees.ts';
import { waitFor } from '../support/wait-for.ts';

it('a mirror, relayfile-mount and @relayfile/sdk work on one workspace and hold the same bytes in the end', {
  timeout: 300_000,
}, async ({ skip }) => {
  skip(!mountRunsHere, mountSkipReason);
  const agent = await startAgent();
  const { client, owner, token, workspaceId } = await freshWorkspace(agent);
  const theirs = new RelayFileClient({ baseUrl: agent.url, token });
  const waits = { deadlineMs: 120_000, everyMs: 100 };
  const seeds = Array.from({ length: 12 }, (_, n) => ({
    path: `/notes/seed ${n}.md`,
    content: `seed ${n}\n`,
  }));
  await client.bulkWrite(workspaceId, seeds.slice(1));
  // Later than the others: that the program has dealt with it says that it has dealt with all.
  await client.bulkWrite(workspaceId, seeds.slice(0, 1));
  const mirrored = tempFolder('mooring-mirror');
  await owner.mirrors.add(workspaceId, mirrored);
  const mounted = tempFolder('mooring-mount');
  const child = startMount([
    ...['--base-url', agent.url, '--token', token, '--workspace', workspaceId, '--mode', 'poll'],
    ...['--local-dir', mounted, '--state-dir', tempFolder('mooring-mount-state'), '--interval', '5s'],
  ]);
  const untilSame = async (what: string, files: number) => {
    let last: readonly string[] = [];
    const look = async () => {
      const { stream } = await client.files.export(workspaceId, { format: 'tar' });
      const exported = await hashTar(new Uint8Array(await new Response(stream).arrayBuffer()));
      last = [
        ...differences(exported, hashFolder(mirrored)).map((line) => `mirror: ${line}`),
        ...differences(exported, mountedFiles(mounted)).map((line) => `mount: ${line}`),
      ];
      return last.length === 0 && exported.size === files;
    };
    await waitFor(what, look, { ...waits, everyMs: 250 }).catch((error: unknown) => {
      throw new Error(`${what}: ${last.join('; ')}`, { cause: error });
    });
  };
  const theirWrite = async (file: string, content: string, baseRevision: string) =>
    await theirs.writeFile({ workspaceId, path: file, baseRevision, content, contentType: 'text/markdown' });
  const revisionOf = async (file: string) => (await theirs.readFile(workspaceId, file)).revision;

  await untilSame('the first contact of three', 12);
  await untilMountWatches(child, mounted, waits.deadlineMs);
  await untilMountHasSeen(client, workspaceId, mounted, waits.deadlineMs);
  putFile(mirrored, 'notes/by the mirror.md', 'made in the mirrored folder\n');
  putFile(mirrored, 'notes/seed 0.md', 'edited in the mirrored folder\n');
  rmSync(path.join(mirrored, 'notes/seed 1.md'));
  putFile(mounted, 'notes/by the mount.md', 'made in the mounted folder\n');
  putFile(mounted, 'notes/seed 2.md', 'edited in the mounted folder\n');
  rmSync(path.join(mounted, 'notes/seed 3.md'));
  await theirWrite('/notes/by the sdk.md', 'made through the SDK\n', '0');
  await theirWrite('/notes/seed 4.md', 'edited through the SDK\n', await revisionOf('/notes/seed 4.md'));
  await theirs.deleteFile({
    workspaceId,
    path: '/notes/seed 5.md',
    baseRevision: await revisionOf('/notes/seed 5.md'),
  });
  // 12 at first, three made, three deleted.
  await waitFor(
    'what each has made',
    async () => {
      const made = ['mirror', 'mount', 'sdk'].map(async (who) => await revisionOf(`/notes/by the ${who}.md`));
      return (await Promise.all(made)).length === 3;
    },
    waits,
  );
  await untilSame('changes of three sides', 12);
  for (const [dir, file, content] of [
    [mounted, 'notes/seed 0.md', 'edited in the mirrored folder\n'],
    [mirrored, 'notes/seed 2.md', 'edited in the mounted folder\n'],
    [mounted, 'notes/seed 4.md', 'edited through the SDK\n'],
  ] as const) {
    expect(readFileSync(path.join(dir, file), 'utf8')).toBe(content);
  }
  for (const gone of [1, 3, 5]) expect(existsSync(path.join(mounted, `notes/seed ${gone}.md`))).toBe(false);
  expect(await owner.conflicts.list(workspaceId)).toEqual([]);
  expect(child.exitCode).toBeNull();
});
