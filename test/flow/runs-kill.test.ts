// kill -9 of the agent while a run is committed or undone: afterwards all of it is done or nothing is, and the run knows which.
import { expect, it, vi } from 'vitest';
import type { MooringClient } from '../../sdk/index.ts';
import { agentOfFile } from '../support/agent-process.ts';
import { freshWorkspace, ownerClient } from '../support/client-of.ts';

vi.setConfig({ testTimeout: 300_000 });

const files = 400;
const rounds = 2;
const agent = agentOfFile();

const pathOf = (index: number) => `/dir${index % 7}/file${index}`;

async function write(client: MooringClient, workspaceId: string, text: string, forkId?: string) {
  const changed = Array.from({ length: files }, (_, index) => ({
    path: pathOf(index),
    content: `${text} ${index}`,
  }));
  const { errors } = await client.files.writeMany(
    workspaceId,
    changed,
    forkId === undefined ? {} : { forkId },
  );
  expect(errors).toEqual([]);
}

/** The text that all files have; a mixture fails. */
async function textOfAll(client: MooringClient, workspaceId: string): Promise<string> {
  const paths = Array.from({ length: files }, (_, index) => pathOf(index));
  const texts = new Set<string>();
  for (let from = 0; from < files; from += 100) {
    const part = await client.files.readMany(workspaceId, paths.slice(from, from + 100));
    for (const { content } of part.files) texts.add(content?.split(' ')[0] ?? '');
  }
  expect(texts.size).toBe(1);
  return [...texts][0] as string;
}

/** Sends a request and kills the agent a moment later, whatever has become of the request. */
async function killDuring(send: () => Promise<unknown>, afterMs: number): Promise<void> {
  const sent = send().catch(() => undefined);
  await new Promise((resolve) => setTimeout(resolve, afterMs));
  await agent.kill9();
  await sent;
  await agent.start();
}

it('a commit and an undo are whole or not at all, and the run says which', async () => {
  const { workspaceId } = await freshWorkspace(agent);
  await write(ownerClient(agent), workspaceId, 'before');
  for (let round = 0; round < rounds; round += 1) {
    const before = await textOfAll(ownerClient(agent), workspaceId);
    const { runId, forkId } = await ownerClient(agent).runs.create(workspaceId);
    const text = `run${round}`;
    await write(ownerClient(agent), workspaceId, text, forkId);
    const commit = ownerClient(agent);
    await killDuring(() => commit.runs.commit(workspaceId, runId), round * 40 + 5);
    const afterCommit = await ownerClient(agent).runs.get(workspaceId, runId);
    const isCommitted = afterCommit.state === 'committed';
    expect(await textOfAll(ownerClient(agent), workspaceId)).toBe(isCommitted ? text : before);
    if (!isCommitted) {
      expect(afterCommit).toMatchObject({ state: 'open', writtenCount: files });
      await ownerClient(agent).runs.commit(workspaceId, runId);
    }
    expect(await textOfAll(ownerClient(agent), workspaceId)).toBe(text);
    const undo = ownerClient(agent);
    await killDuring(() => undo.runs.undo(workspaceId, runId), round * 40 + 5);
    const { state } = await ownerClient(agent).runs.get(workspaceId, runId);
    expect(await textOfAll(ownerClient(agent), workspaceId)).toBe(state === 'undone' ? before : text);
  }
});
