// The RUN of a command: an id, the beginning of one, or a name that one run has.
import type { MooringClient, Run } from '../../../sdk/index.ts';
import { formatTimeOfDay } from './display.ts';
import { usageError } from './failure.ts';

const wholeId = /^run_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** Newest runs among which a beginning or a name is looked for. */
const searchedMax = 1_000;
/** Maximum number of runs that an error lists. */
const listedMax = 10;

/** A word that names no run is answered unchanged: the agent refuses it. @throws CommandFailure: several runs have it. */
export async function runIdOf(client: MooringClient, workspaceId: string, word: string): Promise<string> {
  if (wholeId.test(word)) return word;
  const begins: Run[] = [];
  const named: Run[] = [];
  let searched = 0;
  for await (const run of client.runs.all(workspaceId, { limit: 200 })) {
    if (run.runId.startsWith(word) || run.runId.startsWith(`run_${word}`)) begins.push(run);
    if (run.name === word) named.push(run);
    searched += 1;
    if (searched === searchedMax) break;
  }
  const [found, ...others] = named.length > 0 ? named : begins;
  if (found === undefined) return word;
  if (others.length === 0) return found.runId;
  const candidates = [found, ...others]
    .slice(0, listedMax)
    .map(
      ({ runId, name, state, createdAt }) => `  ${runId}  ${state}, ${formatTimeOfDay(createdAt)}  ${name}`,
    );
  throw usageError(
    `${others.length + 1} runs ${named.length > 0 ? 'are named' : 'begin with'} ${word}.`,
    `Pass the id of one of them:\n${candidates.join('\n')}`,
  );
}
