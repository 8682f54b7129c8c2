// `edit` against an agent: nothing that anybody wrote is overwritten unseen, however many write at once.
import { expect, it, vi } from 'vitest';
import { RevisionConflictError } from '../../sdk/index.ts';
import { startAgent } from '../support/agent-process.ts';
import { freshWorkspace } from '../support/client-of.ts';

vi.setConfig({ testTimeout: 60_000 });

it('many edits at once all count, none is applied twice', async () => {
  const { client, workspaceId } = await freshWorkspace(await startAgent());
  const add = async (line: number) =>
    await client.edit(workspaceId, '/lines', (file) => `${file?.content ?? ''}${line}\n`, { tries: 100 });
  await Promise.all(Array.from({ length: 12 }, (_, line) => add(line)));
  const { content } = await client.readFile(workspaceId, '/lines');
  expect(
    content
      .trim()
      .split('\n')
      .map(Number)
      .toSorted((a, b) => a - b),
  ).toEqual(Array.from({ length: 12 }, (_, line) => line));
});

it('leaves the file when nothing is to be changed, gives up after its tries, and sees a deletion', async () => {
  const { client, workspaceId } = await freshWorkspace(await startAgent());
  expect(await client.edit(workspaceId, '/a', (file) => (file === null ? null : 'x'))).toBeNull();
  const first = await client.writeFile(workspaceId, '/a', 'one');
  const outrun = client.edit(
    workspaceId,
    '/a',
    async () => {
      await client.writeFile(workspaceId, '/a', 'faster');
      return 'slow';
    },
    { tries: 2 },
  );
  await expect(outrun).rejects.toThrow(RevisionConflictError);
  expect((await client.readFile(workspaceId, '/a')).content).toBe('faster');
  expect((await client.readFile(workspaceId, '/a', { revision: first.targetRevision })).content).toBe('one');
  const seen: (string | null)[] = [];
  await client.edit(workspaceId, '/a', async (file) => {
    seen.push(file?.content ?? null);
    if (file !== null) await client.deleteFile(workspaceId, '/a');
    return 'new';
  });
  expect(seen).toEqual(['faster', null]);
  expect((await client.readFile(workspaceId, '/a')).content).toBe('new');
});

it('raw bytes go both ways, whole and in parts', async () => {
  const { client, workspaceId } = await freshWorkspace(await startAgent());
  const bytes = Uint8Array.from({ length: 200_000 }, (_, at) => at % 251);
  for (const content of [bytes, new Blob([bytes]), new Blob([bytes]).stream()]) {
    const { targetRevision } = await client.writeRaw(workspaceId, '/b.bin', content);
    const whole = await client.readRaw(workspaceId, '/b.bin');
    expect(whole).toMatchObject({
      revision: targetRevision,
      size: 200_000,
      part: { start: 0, end: 200_000 },
    });
    expect(await new Response(whole.stream).bytes()).toEqual(bytes);
  }
  const part = await client.readRaw(workspaceId, '/b.bin', { start: 5, end: 9 });
  expect(part).toMatchObject({ size: 200_000, part: { start: 5, end: 9 } });
  expect(await new Response(part.stream).bytes()).toEqual(bytes.subarray(5, 9));
});
