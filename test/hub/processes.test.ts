// Several processes of a hub on one database: real processes, a real PostgreSQL.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { noPostgres } from '../../build/postgres.ts';
import { type EventFrame, type MooringClient, RevisionConflictError } from '../../sdk/index.ts';
import { type AgentProcess, mooring, startAgent } from '../support/agent-process.ts';
import { ownerClient } from '../support/client-of.ts';
import { hubDatabase } from '../support/hub-database.ts';
import { PostgresServer } from '../support/postgres-server.ts';
import { removeFolder } from '../support/temp-folder.ts';
import { waitFor } from '../support/wait-for.ts';

let folder: string;
let keyFile: string;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'mooring-hub-'));
  keyFile = path.join(folder, 'master.key');
  writeFileSync(keyFile, `${Buffer.alloc(32, 5).toString('base64')}\n`, { mode: 0o600 });
});
afterAll(() => removeFolder(folder));

/** Processes on one database, started at once. */
async function startHub(url: string, count: number): Promise<readonly AgentProcess[]> {
  const args = ['--database', url, '--master-key-file', keyFile];
  return await Promise.all(Array.from({ length: count }, () => startAgent({ args })));
}

const newDatabase = (name: string) => hubDatabase(`${folder}/${name}`);

function at<T>(list: readonly T[], index: number): T {
  const one = list[index];
  if (one === undefined) throw new Error(`there is no ${index}`);
  return one;
}

/** Of each process, in the order of `processes`. */
const clientsOf = (processes: readonly AgentProcess[]) => processes.map(ownerClient);

async function leaderOf(client: MooringClient): Promise<string | undefined> {
  return (await client.agent.status()).members?.find(({ leads }) => leads)?.id;
}

beforeEach(({ skip }) => skip(noPostgres !== null, noPostgres ?? ''));

describe('processes of a hub', () => {
  it('that start at once on an empty database share tokens, files, events and contents', async () => {
    const processes = await startHub(await newDatabase('first'), 3);
    const [a, b, c] = clientsOf(processes) as [MooringClient, MooringClient, MooringClient];
    expect(new Set(processes.map((one) => one.ownerToken)).size).toBe(1);
    const { workspaceId } = await a.workspaces.create({ name: 'team' });

    const seen: EventFrame[] = [];
    const states: string[] = [];
    const subscription = b.subscribe(workspaceId, {
      onEvent: (event) => seen.push(event),
      onState: ({ kind }) => states.push(kind),
    });
    onTestFinished(() => subscription.close());
    await waitFor('the WebSocket', () => states.includes('live'));
    const large = 'a line of the large file\n'.repeat(40_000);
    await c.writeFile(workspaceId, '/notes/plan.md', 'the plan of the team\n');
    await c.writeFile(workspaceId, '/notes/large.txt', large);
    await waitFor('both events', () => seen.length === 2);
    expect(seen.map((event) => event.path)).toEqual(['/notes/plan.md', '/notes/large.txt']);
    expect((await a.readFile(workspaceId, '/notes/large.txt')).content).toBe(large);
    const found = await waitFor('the search of another process', async () => {
      const hits = [];
      for await (const hit of b.search(workspaceId, 'plan of the team', { waitMs: 2_000 }))
        hits.push(hit.path);
      return hits.length > 0 ? hits : null;
    });
    expect(found).toEqual(['/notes/plan.md']);
    expect((await a.agent.status()).features).toEqual(['users']);
    const longPath = `/${Array.from({ length: 17 }, (_, index) => `${index}`.repeat(125)).join('/')}`;
    await expect(a.writeFile(workspaceId, longPath, 'x')).rejects.toThrow(/longer than 2600 bytes/);
    await expect(a.mirrors.add(workspaceId, folder)).rejects.toThrow(/A hub keeps no folders/);
    await expect(a.agent.backup(folder)).rejects.toMatchObject({
      status: 409,
      message: expect.stringContaining('pg_dump'),
    });
    const refused = await mooring(['backup', folder, '--data-dir', at(processes, 0).dataDir]);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('pg_dump')]);
    const metrics = await at(processes, 0).fetch('/metrics');
    expect(await metrics.text()).toMatch(/mooring_store_figure\{figure="members"\} [123]/);
    await waitFor('three processes in the list, one of which leads', async () => {
      const { members = [] } = await a.agent.status();
      return members.length === 3 && members.filter(({ leads }) => leads).length === 1;
    });
  });

  it('keep one order: each revision has one successor, no event is missing, and what was acknowledged is there after kill -9', async () => {
    const processes = await startHub(await newDatabase('order'), 3);
    const clients = clientsOf(processes);
    const { workspaceId } = await at(clients, 0).workspaces.create({ name: 'order' });
    await at(clients, 0).writeFile(workspaceId, '/counter', '0');
    const acknowledged = new Map<string, string>();
    let increments = 0;
    const increment = async (client: MooringClient) => {
      for (let tries = 0; tries < 200; tries += 1) {
        const file = await client.readFile(workspaceId, '/counter');
        try {
          const next = String(Number(file.content) + 1);
          await client.writeFile(workspaceId, '/counter', next, { ifMatch: file.revision });
          increments += 1;
          return;
        } catch (error) {
          if (!(error instanceof RevisionConflictError)) throw error;
        }
      }
      throw new Error('no turn in 200 tries');
    };
    const write = async (client: MooringClient, number: number, prefix: string) => {
      const file = `/${prefix}/f${number}`;
      await client.writeFile(workspaceId, file, `${prefix} ${number}`);
      acknowledged.set(file, `${prefix} ${number}`);
    };
    const work = clients.map(async (client, index) => {
      for (let number = 0; number < 20; number += 1) {
        await Promise.all([increment(client), write(client, number, `p${index}`)]);
        if (index === 2 && number === 8) await at(processes, 2).kill9();
      }
    });
    const [first, second, killed] = await Promise.allSettled(work);
    expect([first?.status, second?.status, killed?.status]).toEqual(['fulfilled', 'fulfilled', 'rejected']);

    const [a] = clients as [MooringClient];
    const counted = Number((await a.readFile(workspaceId, '/counter')).content);
    // The one that was killed may have committed an increment that it did not answer.
    expect(counted).toBeGreaterThanOrEqual(increments);
    expect(counted).toBeLessThanOrEqual(increments + 1);
    for (const [file, content] of acknowledged)
      expect((await a.readFile(workspaceId, file)).content, file).toBe(content);
    const sequences: number[] = [];
    const chain: string[] = [];
    for await (const event of a.events.all(workspaceId, { limit: 50 })) {
      sequences.push(Number(event.eventId.slice('evt_'.length)));
      if (event.path === '/counter') chain.push(event.revision ?? '');
    }
    expect(sequences).toEqual(sequences.map((_, index) => (sequences[0] ?? 0) + index));
    expect(chain).toHaveLength(counted + 1);
    expect(new Set(chain).size).toBe(chain.length);
  });

  it('one does the work in the background, and another when it is killed', async () => {
    const processes = await startHub(await newDatabase('lead'), 2);
    const clients = clientsOf(processes);
    const { workspaceId } = await at(clients, 0).workspaces.create({ name: 'lead' });
    const deliver = async (client: MooringClient, name: string) =>
      await client.sync.ingestWebhook(workspaceId, {
        provider: 'github',
        event_type: 'file.created',
        path: `/github/${name}.md`,
        delivery_id: name,
        data: { content: `about ${name}`, contentType: 'text/markdown' },
      });
    const arrived = async (client: MooringClient, name: string) =>
      await waitFor(`the file of ${name}`, async () => {
        const file = await client.readFile(workspaceId, `/github/${name}.md`).catch(() => null);
        return file?.content === `about ${name}`;
      });
    const leader = await waitFor('a process that leads', () => leaderOf(at(clients, 0)));
    for (const [index, client] of clients.entries()) {
      await deliver(client, `one${index}`);
      await arrived(client, `one${index}`);
    }
    const leads = await Promise.all(
      processes.map((one) => one.stderr.includes('this process does the work in the background')),
    );
    const index = leads.indexOf(true);
    await at(processes, index).kill9();
    const other = at(clients, 1 - index);
    await deliver(other, 'two');
    await arrived(other, 'two');
    await waitFor('another leader in the list', async () => {
      const now = await leaderOf(other);
      return now !== undefined && now !== leader;
    });
  });

  it('answer 503 while the database is down, and go on without a restart when it is back', async () => {
    const server = await PostgresServer.start();
    onTestFinished(() => server.close());
    const url = `${server.url.slice(0, server.url.lastIndexOf('/'))}/postgres`;
    const processes = await startHub(url, 2);
    const clients = clientsOf(processes);
    const [a, b] = clients as [MooringClient, MooringClient];
    const { workspaceId } = await a.workspaces.create({ name: 'down' });
    await a.writeFile(workspaceId, '/before', 'before');
    await server.kill9();
    const statuses = await Promise.all(
      processes.map(async (one) => {
        const written = await one.fetch(`/v1/workspaces/${workspaceId}/fs/file?path=/during`, {
          method: 'PUT',
          headers: { 'If-Match': '*', 'content-type': 'application/json' },
          body: JSON.stringify({ content: 'during' }),
        });
        const read = await one.fetch(`/v1/workspaces/${workspaceId}/fs/tree?path=/`);
        const ready = await one.fetch('/ready');
        return [written.status, written.headers.get('retry-after'), read.status, ready.status];
      }),
    );
    expect(statuses).toEqual([
      [503, '1', 503, 503],
      [503, '1', 503, 503],
    ]);
    await server.open();
    for (const [index, client] of clients.entries())
      await waitFor(
        'a write after the restart',
        async () => {
          await client.writeFile(workspaceId, `/after${index}`, 'after');
          return true;
        },
        { deadlineMs: 90_000 },
      );
    expect((await b.readFile(workspaceId, '/before')).content).toBe('before');
    expect((await at(processes, 0).fetch('/ready')).status).toBe(200);
  });
});
