// Moves of the Files screen, with a real agent.
import { expect, it } from 'vitest';
import { moveEntries } from '../../renderer/api/change-files.ts';
import type { MooringClient } from '../../sdk/index.ts';
import { agentOfFile } from '../support/agent-process.ts';
import { freshWorkspace } from '../support/client-of.ts';

const agent = agentOfFile();

async function filesIn(
  client: MooringClient,
  workspaceId: string,
): Promise<Readonly<Record<string, string>>> {
  const files: Record<string, string> = {};
  for await (const { path } of client.files.all(workspaceId, { path: '/' }))
    files[path] = (await client.readFile(workspaceId, path)).content;
  return files;
}

it('the undo of a folder that was moved into another one leaves what was there, and what came since', async () => {
  const { workspaceId, client } = await freshWorkspace(agent, 'united');
  const before = { '/drafts/a.md': 'a', '/drafts/in/b.md': 'b', '/notes/mine.md': 'mine' };
  for (const [path, content] of Object.entries(before)) await client.writeFile(workspaceId, path, content);
  const moved = await moveEntries(client, workspaceId, [
    { entry: { path: '/drafts', type: 'dir' }, to: '/notes' },
  ]);
  expect([...moved].toSorted()).toEqual(['/notes/a.md', '/notes/in/b.md']);
  await client.writeFile(workspaceId, '/notes/later.md', 'later');
  await client.writeFile(workspaceId, '/notes/a.md', 'edited');

  const back = [{ entry: { path: '/notes', type: 'dir' }, to: '/drafts' }] as const;
  await moveEntries(client, workspaceId, back, (path) => moved.has(path));
  expect(await filesIn(client, workspaceId)).toEqual({
    ...before,
    '/drafts/a.md': 'edited',
    '/notes/later.md': 'later',
  });
  await expect(moveEntries(client, workspaceId, back, (path) => moved.has(path))).rejects.toThrow(
    'The files are not there any more.',
  );
});
