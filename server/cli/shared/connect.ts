// How a command finds the running agent: `<data-dir>/agent.json`, then `owner.token`. From there on only the SDK speaks.
import { readFileSync } from 'node:fs';
import { MooringClient, NoAnswerError } from '../../../sdk/index.ts';
import { resolveDataDir } from '../../platform/files/paths.ts';
import { isProcessAlive, readAgentFile } from '../../platform/process/agent-file.ts';
import { CommandFailure, exitCodes } from './failure.ts';

/** An agent on this machine that does not say that it lives within this time does not. */
const healthTimeoutMs = 5_000;

export interface RunningAgent {
  readonly client: MooringClient;
  readonly url: string;
  readonly pid: number;
  readonly dataDir: string;
  readonly ownerTokenFile: string;
}

/** null: no agent runs on this data directory. */
export async function findAgent(dataDirOption: string | undefined): Promise<RunningAgent | null> {
  const dataDir = resolveDataDir(dataDirOption);
  const file = readAgentFile(dataDir);
  // The owner's token must not go to whoever took a dead agent's port.
  if (file === null || !isProcessAlive(file.pid)) return null;
  const asked = new MooringClient({ baseUrl: file.url, retry: { retries: 0 }, timeoutMs: healthTimeoutMs });
  try {
    await asked.health();
  } catch (error) {
    if (error instanceof NoAnswerError) return null;
    throw error;
  }
  const { url, pid, ownerTokenFile } = file;
  const token = readFileSync(ownerTokenFile, 'utf8').trim();
  return { client: new MooringClient({ baseUrl: url, token }), url, pid, dataDir, ownerTokenFile };
}

/** Exit code 5 when none runs. */
export async function connect(options: { readonly dataDir?: string }): Promise<RunningAgent> {
  const agent = await findAgent(options.dataDir);
  if (agent !== null) return agent;
  throw new CommandFailure(
    exitCodes.noAgent,
    `No agent runs on ${resolveDataDir(options.dataDir)}.`,
    'Start one with "npm start" or "mooring serve", or name its data directory with --data-dir.',
  );
}
