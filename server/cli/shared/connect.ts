// Finds the running agent through `<data-dir>/agent.json` and `owner.token`, and returns an SDK client for it.
import { readFileSync } from 'node:fs';
import { MooringClient, NoAnswerError } from '../../../sdk/index.ts';
import { resolveDataDir } from '../../platform/files/paths.ts';
import { readAgentFile } from '../../platform/process/agent-file.ts';
import { isProcessAlive } from '../../platform/process/process-identity.ts';
import { CommandFailure, exitCodes } from './failure.ts';

/** A local agent that has not answered the health check by then is not running. */
const healthTimeoutMs = 5_000;

export interface RunningAgent {
  readonly client: MooringClient;
  readonly url: string;
  readonly pid: number;
  readonly dataDir: string;
  readonly ownerTokenFile: string;
}

/** null: no agent is running on this data directory. */
export async function findAgent(dataDirOption: string | undefined): Promise<RunningAgent | null> {
  const dataDir = resolveDataDir(dataDirOption);
  const file = readAgentFile(dataDir);
  // Another process may have the port of an agent that ended. It must not receive the owner token.
  if (file === null || file.url === null || !isProcessAlive(file.pid)) return null;
  const { url, pid, ownerTokenFile } = file;
  const probe = new MooringClient({ baseUrl: url, retry: { retries: 0 }, timeoutMs: healthTimeoutMs });
  try {
    await probe.agent.health();
  } catch (error) {
    if (error instanceof NoAnswerError) return null;
    throw error;
  }
  const token = readFileSync(ownerTokenFile, 'utf8').trim();
  return { client: new MooringClient({ baseUrl: url, token }), url, pid, dataDir, ownerTokenFile };
}

/** Ends the command with exit code 5 when no agent is running. */
export async function connect(options: { readonly dataDir?: string }): Promise<RunningAgent> {
  const agent = await findAgent(options.dataDir);
  if (agent !== null) return agent;
  throw new CommandFailure(
    exitCodes.noAgent,
    `No agent is running on ${resolveDataDir(options.dataDir)}.`,
    'Start one with "npm start" or "mooring serve", or pass its data directory with --data-dir.',
  );
}
