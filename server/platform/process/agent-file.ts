// `<data-dir>/agent.json`: where the running agent is found. The agent writes it once it answers and removes it when it stops;
// one that a crash left behind is recognised by a process that no longer lives. It holds no secret.
import { rmSync } from 'node:fs';
import { dataPaths } from '../files/paths.ts';
import { readPrivateFile, writePrivateFile } from '../files/private-files.ts';

export interface AgentFile {
  /** `http://127.0.0.1:4417` */
  readonly url: string;
  readonly pid: number;
  readonly version: string;
  /** RFC 3339. */
  readonly startedAt: string;
  readonly ownerTokenFile: string;
}

export function writeAgentFile(dataDir: string, content: AgentFile): void {
  writePrivateFile(dataPaths(dataDir).agentFile, `${JSON.stringify(content, null, 2)}\n`);
}

export function removeAgentFile(dataDir: string): void {
  rmSync(dataPaths(dataDir).agentFile, { force: true });
}

/** null: there is none, or it is not one of ours. */
export function readAgentFile(dataDir: string): AgentFile | null {
  const text = readPrivateFile(dataPaths(dataDir).agentFile);
  const value = text === null ? null : parse(text);
  return isAgentFile(value) ? value : null;
}

/** false: certainly gone. A process of another user counts as living. */
export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
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
  return typeof url === 'string' && typeof pid === 'number' && typeof ownerTokenFile === 'string';
}
