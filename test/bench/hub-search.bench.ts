// The search of a hub on a PostgreSQL of this machine, beside an agent with SQLite, in turn within one run: how soon new files are found,
// and how long a search takes.
import { headersOf, makeTarget, type Target } from './floor.ts';
import { withHubAndAgent, writeTogether } from './hub-and-agent.ts';
import { alternate, percentile, printComparison } from './report.ts';

const rounds = 5;
const newFiles = 2_000;
const batchFiles = 250;
const searches = 60;
/** Of each file. Half of the words are in many files. */
const wordsInFile = 150;

let written = 0;

/** Of `n`, always the same. */
function text(n: number): string {
  const words = Array.from({ length: wordsInFile }, (_, at) => {
    const seed = (n * 7919 + at * 104_729) % 1_000_003;
    return at % 2 === 0 ? `common${seed % 997}` : `rare${seed}`;
  });
  return `file${n}end ${words.join(' ')}\n`;
}

async function bulk(target: Target, from: number): Promise<void> {
  const files = Array.from({ length: batchFiles }, (_, n) => ({
    path: `/d${Math.floor((from + n) / 100)}/file-${from + n}.txt`,
    content: text(from + n),
  }));
  await writeTogether(target, files);
}

async function search({ url, token, workspaceId }: Target, q: string, waitMs = 0): Promise<number> {
  const answer = await fetch(`${url}/v1/workspaces/${workspaceId}/fs/search?q=${q}&limit=50&wait=${waitMs}`, {
    headers: headersOf(token),
  });
  if (answer.status !== 200) throw new Error(`search answered ${answer.status}: ${await answer.text()}`);
  return ((await answer.json()) as { items: readonly object[] }).items.length;
}

/** Files a second, from the first write until the last file is found. */
async function indexRate(target: Target): Promise<number> {
  const from = written;
  written += newFiles;
  const begun = performance.now();
  for (let at = from; at < from + newFiles; at += batchFiles) await bulk(target, at);
  while ((await search(target, `file${from + newFiles - 1}end`, 10_000)) === 0);
  return newFiles / ((performance.now() - begun) / 1000);
}

async function searchTimes(target: Target): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < searches; n += 1) {
    const begun = performance.now();
    await search(target, `common${(n * 37) % 997}`);
    times.push(performance.now() - begun);
  }
  return times;
}

await withHubAndAgent('hub-search', async (hubAgent, agent) => {
  const hub = await makeTarget(hubAgent);
  const alone = await makeTarget(agent);
  const floorName = 'the agent with SQLite';
  const rate = await alternate(
    rounds,
    () => indexRate(hub),
    () => indexRate(alone),
  );
  printComparison({
    name: `${newFiles} new files, until the last one is found`,
    unit: 'files/s',
    floorName,
    ...rate,
    reach: { at: 'least', value: 0.3 },
  });
  const times = await alternate(
    rounds,
    async () => percentile(await searchTimes(hub), 0.95),
    async () => percentile(await searchTimes(alone), 0.95),
  );
  printComparison({
    name: 'search for a word, p95',
    unit: 'ms',
    floorName,
    ...times,
    reach: { at: 'most', value: 5 },
  });
});
