// kill -9 of the agent while its search index is built or follows changes, and an index that is damaged, missing or of another store: afterwards
// every file is found, and nothing that is gone.
import { closeSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, it, vi } from 'vitest';
import type { MooringClient } from '../../sdk/index.ts';
import { agentOfFile, mooring } from '../support/agent-process.ts';
import { freshWorkspace, ownerClient } from '../support/client-of.ts';
import { waitFor } from '../support/wait-for.ts';

vi.setConfig({ testTimeout: 300_000 });

const files = 300;
const agent = agentOfFile();
const indexFile = path.join(agent.dataDir, 'search.db');
let workspaceId: string;
beforeAll(async () => {
  ({ workspaceId } = await freshWorkspace(agent));
});

async function write(client: MooringClient, word: string) {
  const contents = Array.from({ length: files }, (_, index) => ({
    path: `/dir${index % 7}/file${index}.md`,
    content: `${word} number${index}\n${'some more text of this file\n'.repeat(100)}${index} ${word}`,
  }));
  await client.files.writeMany(workspaceId, contents);
}

async function found(q: string): Promise<number> {
  const client = ownerClient(agent);
  return await waitFor(`a complete answer for ${q}`, async () => {
    let count = 0;
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof client.searches.page>> = await client.searches.page(
        workspaceId,
        q,
        {
          limit: 500,
          waitMs: 10_000,
          ...(cursor === null ? {} : { cursor }),
        },
      );
      if (!page.complete) return null;
      count += page.items.length;
      cursor = page.nextCursor;
    } while (cursor !== null);
    return { count };
  }).then(({ count }) => count);
}

it('continues after kill -9 at any time', async () => {
  for (const [round, afterMs] of [5, 80, 200].entries()) {
    await write(ownerClient(agent), `word${round}`);
    // Starts the thread and hurries it.
    void ownerClient(agent)
      .searches.page(workspaceId, 'x', { waitMs: 10_000 })
      .catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, afterMs));
    await agent.kill9();
    await agent.start();
    expect(await found(`word${round}`)).toBe(files);
    if (round > 0) expect(await found(`word${round - 1}`)).toBe(0);
  }
});

it('continues a rebuild that is interrupted, by kill -9 and by an orderly end', async () => {
  for (const end of [() => agent.kill9(), () => agent.stop()]) {
    const before = await ownerClient(agent).searches.rebuildIndex();
    expect(before.filesTotal).toBe(files);
    await waitFor('a part of the files is indexed', async () => {
      const now = await ownerClient(agent).searches.index();
      expect(now.files).toBeLessThanOrEqual(files);
      return now.files > 0 ? true : null;
    });
    await end();
    await agent.start();
    expect(await found('word2')).toBe(files);
    expect(await found('number77')).toBe(1);
  }
});

it.each([
  ['missing', () => rmSync(indexFile)],
  ['no database', () => writeFileSync(indexFile, 'no database')],
  ['overwritten in its middle', () => overwrite(0.3)],
  ['overwritten near its end', () => overwrite(0.8)],
])('is rebuilt when it is %s, and the agent starts', async (_, damage) => {
  expect(await found('word2')).toBe(files);
  await agent.stop();
  damage();
  await agent.start();
  expect(await found('word2')).toBe(files);
  expect(await found('number77')).toBe(1);
});

it('is rebuilt by the command, and reports its state', async () => {
  const client = ownerClient(agent);
  await client.searches.rebuildIndex();
  expect(await found('word2')).toBe(files);
  const status = await waitFor('the index is current', async () => {
    const now = await client.searches.index();
    return now.state === 'current' ? now : null;
  });
  expect(status).toMatchObject({ files, filesTotal: files, eventsBehind: 0, namesOnly: 0, isFull: false });
  const { stdout } = await mooring(['status', '--json'], { dataDir: agent.dataDir });
  expect(JSON.parse(stdout).search).toEqual({ ...status, bytes: expect.any(Number) });
  expect((await mooring(['status'], { dataDir: agent.dataDir })).stdout).toMatch(
    /^Search: 300 files indexed \(\d.*B\)$/m,
  );
  const { checks } = await client.agent.diagnostics();
  expect(checks.find(({ name }) => name === 'search')).toMatchObject({ state: 'ok' });
});

function overwrite(share: number): void {
  const size = readFileSync(indexFile).length;
  const file = openSync(indexFile, 'r+');
  writeSync(file, Buffer.alloc(64 * 1024, 0xa5), 0, 64 * 1024, Math.floor((size * share) / 4096) * 4096);
  closeSync(file);
}
