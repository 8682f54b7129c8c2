// Many desktops on three processes of a hub, any of which is killed again and again while all edit. In the end all replicas are equal, and
// nothing that was written last is missing. `npm test` has a smaller form of it with real folders: desktops.test.ts.
import { createHash, randomInt } from 'node:crypto';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { noPostgres } from '../../build/postgres.ts';
import { type Hub, startHub } from '../support/hub-processes.ts';
import { PostgresServer } from '../support/postgres-server.ts';
import { filesOf } from '../support/remote-agents.ts';
import { runOnce } from '../support/run-once.ts';
import { isLong } from '../support/scale.ts';
import { SimulatedDesktops } from '../support/simulated-desktops.ts';
import { waitFor } from '../support/wait-for.ts';

beforeEach(({ skip }) => {
  skip(!isLong, 'it takes ten minutes: npm run test:long');
  skip(noPostgres !== null, noPostgres ?? '');
});

const desktopCount = 100;
const desktopProcesses = 4;
/** Between two changes of one person. */
const pauseMs = 20_000;
const changesPerKill = 80;
const killsMin = 10;
const runMs = 600_000;
const inStepWithinMs = 300_000;

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

/** As a simulated desktop makes it of its files. */
function filesDigest(files: ReadonlyMap<string, string>): string {
  const sorted = [...files].sort(([left], [right]) => (left < right ? -1 : 1));
  return hashOf(JSON.stringify(sorted));
}

it('all are equal after any process was killed, and nothing is lost', {
  ...runOnce,
  timeout: 1_800_000,
}, async () => {
  const database = await PostgresServer.start();
  onTestFinished(() => database.close());
  const hub = await startHub(database.url, 3);
  const desktops = await SimulatedDesktops.start(hub, desktopCount, desktopProcesses);
  const made = async () => (await desktops.reports()).desktops.reduce((sum, { changes }) => sum + changes, 0);
  const program = new AcknowledgedWrites(hub);
  await desktops.edit(pauseMs);
  const begunAtMs = performance.now();
  let kills = 0;
  while (kills < killsMin || performance.now() - begunAtMs < runMs) {
    const target = (await made()) + changesPerKill;
    await waitFor('further changes', async () => (await made()) >= target, {
      deadlineMs: 120_000,
      everyMs: 100,
    });
    await program.write();
    const victim = hub.processes[randomInt(hub.processes.length)];
    await victim?.kill9();
    kills += 1;
    // The others have all desktops for a while.
    await waitFor('further changes', async () => (await made()) >= target + changesPerKill / 4, {
      deadlineMs: 120_000,
      everyMs: 100,
    });
    await program.write();
    await victim?.start();
  }
  await desktops.endEdits();
  const endedAtMs = performance.now();
  let files = await filesOf(hub);
  await waitFor(
    'all replicas to be equal',
    async () => {
      const { desktops: reports } = await desktops.reports();
      files = await filesOf(hub);
      const digest = filesDigest(files);
      const behind = reports.filter(
        (one) => one.digest !== digest || one.state !== 'idle' || one.waiting > 0,
      );
      if (behind.length === 0) return true;
      const [first] = behind;
      throw new Error(
        `${behind.length} are not, such as ${first?.name}: ${first?.state}, ${first?.waiting} wait`,
      );
    },
    { deadlineMs: inStepWithinMs, everyMs: 500 },
  );
  const inStepMs = performance.now() - endedAtMs;
  const { desktops: reports, residentBytes } = await desktops.reports();
  const lost = await lostOf(hub, files, reports);
  lost.push(...program.missingIn(files));
  console.log(
    `${desktopCount} desktops: ${await made()} changes and ${program.count} acknowledged writes in ${Math.round((endedAtMs - begunAtMs) / 1000)} s, ` +
      `${kills} kills, ${files.size} files equal on all after ${(inStepMs / 1000).toFixed(1)} s, ${lost.length} lost, ` +
      `${Math.round(residentBytes / desktopCount / 1024 / 1024)} MB a desktop`,
  );
  expect(lost).toEqual([]);
  await expectGapless(hub);
  await desktops.stop();
});

/** A program that writes to the hub itself: what is answered is there, whatever ends afterwards. */
class AcknowledgedWrites {
  readonly #hub: Hub;
  readonly #texts = new Map<string, string>();

  constructor(hub: Hub) {
    this.#hub = hub;
  }

  get count(): number {
    return this.#texts.size;
  }

  async write(): Promise<void> {
    const path = `/program/${this.#texts.size}.md`;
    await this.#hub.client.writeFile(this.#hub.workspaceId, path, `program ${path}\n`);
    this.#texts.set(path, `program ${path}\n`);
  }

  missingIn(files: ReadonlyMap<string, string>): readonly string[] {
    return [...this.#texts].flatMap(([path, text]) => (files.get(path) === hashOf(text) ? [] : [path]));
  }
}

/** What somebody wrote last, and is neither a file nor in the history of the hub. */
async function lostOf(
  hub: Hub,
  files: ReadonlyMap<string, string>,
  reports: Awaited<ReturnType<SimulatedDesktops['reports']>>['desktops'],
): Promise<string[]> {
  const lost: string[] = [];
  for (const { own } of reports)
    for (const [path, text] of own)
      if (files.get(path) !== (text === null ? undefined : hashOf(text))) lost.push(path);
  const stored = new Set(files.values());
  for (const path of new Set(reports.flatMap(({ shared }) => shared.map(([one]) => one))))
    for await (const { contentHash } of hub.client.history.entries(hub.workspaceId, path))
      if (typeof contentHash === 'string') stored.add(contentHash);
  for (const { name, shared } of reports)
    for (const [path, text] of shared) if (!stored.has(hashOf(text))) lost.push(`${path} of ${name}`);
  return lost;
}

async function expectGapless({ client, workspaceId }: Hub): Promise<void> {
  const sequences: number[] = [];
  for await (const event of client.events.all(workspaceId, { limit: 1_000 }))
    sequences.push(Number(event.eventId.slice('evt_'.length)));
  expect(sequences).toEqual(sequences.map((_, index) => (sequences[0] ?? 0) + index));
}
