// Reads and writes `<data-dir>/agent.json`: process, version and address of the running agent. The agent writes it right after it
// took the lock of the data directory, again with its address once it listens, and removes it when it stops. It holds no secret.
import { rmSync } from 'node:fs';
import { dataPaths } from '../files/paths.ts';
import { readPrivateFile, writePrivateFile } from '../files/private-files.ts';

export interface AgentFile {
  /** `http://127.0.0.1:4417`; null: it does not listen yet. */
  readonly url: string | null;
  readonly pid: number;
  readonly version: string;
  /** RFC 3339. */
  readonly startedAt: string;
  readonly ownerTokenFile: string;
  /** Of the desktop app, which starts it again when it ends. */
  readonly app?: true;
}

export function writeAgentFile(dataDir: string, { url, ...content }: AgentFile): void {
  const text = JSON.stringify(url === null ? content : { url, ...content }, null, 2);
  writePrivateFile(dataPaths(dataDir).agentFile, `${text}\n`);
}

export function removeAgentFile(dataDir: string): void {
  rmSync(dataPaths(dataDir).agentFile, { force: true });
}

/** null: there is none, or its content is not valid. After a crash it names a process that is gone. */
export function readAgentFile(dataDir: string): AgentFile | null {
  const text = readPrivateFile(dataPaths(dataDir).agentFile);
  const value = text === null ? null : parse(text);
  return isAgentFile(value) ? { ...value, url: value.url ?? null } : null;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isAgentFile(value: unknown): value is AgentFile {
  if (typeof value !== 'object' || value === null) return false;
  const { url, pid, ownerTokenFile } = value as Partial<Record<keyof AgentFile, unknown>>;
  const hasUrl = url === undefined || typeof url === 'string';
  return hasUrl && typeof pid === 'number' && typeof ownerTokenFile === 'string';
}
