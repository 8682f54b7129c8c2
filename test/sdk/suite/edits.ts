// `files.edit`: concurrent writes are never overwritten unseen.
import { RevisionConflictError } from '../../../sdk/index.ts';
import { type Case, newDesk } from './bench.ts';
import { equal, failure } from './check.ts';

export const editCases: readonly Case[] = [
  {
    name: 'concurrent edits are each applied once',
    run: async (bench) => {
      const { client, workspaceId } = await newDesk(bench);
      const add = async (line: number) =>
        await client.files.edit(workspaceId, '/lines', (file) => `${file?.content ?? ''}${line}\n`, {
          tries: 100,
        });
      await Promise.all(Array.from({ length: 12 }, (_, line) => add(line)));
      const { content } = await client.readFile(workspaceId, '/lines');
      const lines = content.trim().split('\n').map(Number);
      equal(
        lines.toSorted((a, b) => a - b),
        Array.from({ length: 12 }, (_, line) => line),
      );
    },
  },
  {
    name: 'an edit can leave the file unchanged, fails after the last attempt, and sees a deletion',
    run: async (bench) => {
      const { client, workspaceId } = await newDesk(bench);
      equal(await client.files.edit(workspaceId, '/a', (file) => (file === null ? null : 'x')), null);
      const first = await client.writeFile(workspaceId, '/a', 'one');
      const outrun = client.files.edit(
        workspaceId,
        '/a',
        async () => {
          await client.writeFile(workspaceId, '/a', 'faster');
          return 'slow';
        },
        { tries: 2 },
      );
      await failure(outrun, RevisionConflictError);
      equal((await client.readFile(workspaceId, '/a')).content, 'faster');
      const revision = first.targetRevision;
      equal((await client.readFile(workspaceId, '/a', { revision })).content, 'one');
      const seen: (string | null)[] = [];
      await client.files.edit(workspaceId, '/a', async (file) => {
        seen.push(file?.content ?? null);
        if (file !== null) await client.deleteFile(workspaceId, '/a');
        return 'new';
      });
      equal(seen, ['faster', null]);
      equal((await client.readFile(workspaceId, '/a')).content, 'new');
    },
  },
];
