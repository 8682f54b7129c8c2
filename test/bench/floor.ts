// What benches of routes share: a workspace with a token to aim at, and the floor that stands beside it (floor-server.ts).
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { BenchAgent } from './bench-agent.ts';
import type { ConstantAnswer } from './floor-server.ts';

export interface Target {
  readonly url: string;
  readonly token: string;
  readonly workspaceId: string;
}

export interface Floor {
  readonly target: Target;
  readonly pid: number;
  stop(): void;
}

export function headersOf(token: string): Record<string, string> {
  return {
    authorization: `Bearer ${token}`,
    'x-correlation-id': 'bench',
    'content-type': 'application/json',
  };
}

/** Webhooks need one that no token has by default. */
const scopes: readonly string[] = ['fs:read', 'fs:write', 'sync:read', 'sync:trigger', 'ops:read'];

export async function makeTarget(agent: BenchAgent): Promise<Target> {
  const { workspaceId } = JSON.parse(agent.cli('workspace', 'create', '--name', 'bench', '--json')) as {
    workspaceId: string;
  };
  const token = agent.cli('token', 'create', '--workspace', workspaceId, '--scopes', scopes.join(',')).trim();
  return { url: agent.url, workspaceId, token };
}

export async function startFloor(answers: readonly ConstantAnswer[]): Promise<Floor> {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'floor-server.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(JSON.stringify(answers));
  const line = await new Promise<string>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the floor server ended with ${code}`)));
    createInterface({ input: child.stdout }).once('line', resolve);
  });
  const { url, pid, ownerTokenFile } = JSON.parse(line) as {
    url: string;
    pid: number;
    ownerTokenFile: string;
  };
  const owner = readFileSync(ownerTokenFile, 'utf8').trim();
  const call = async <T>(route: string, body: object): Promise<T> => {
    const answer = await fetch(url + route, {
      method: 'POST',
      headers: headersOf(owner),
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${route} answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as T;
  };
  const { workspaceId } = await call<{ workspaceId: string }>('/v1/workspaces', { name: 'floor' });
  const { token } = await call<{ token: string }>(`/v1/workspaces/${workspaceId}/tokens`, { scopes });
  return { target: { url, token, workspaceId }, pid, stop: () => child.kill('SIGTERM') };
}
