// Runs the official conformance suite of MCP against a path of an agent, through a door on the loopback that adds the token: the suite cannot send one.
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type OutgoingHttpHeaders, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { makeTempFolder, removeFolder } from '../../support/temp-folder.ts';

export type Revision = '2025-11-25' | '2026-07-28';

export interface SuiteResult {
  /** Scenarios of which a check passed and none failed. */
  readonly passed: readonly string[];
  /** As `scenario: check`. */
  readonly failed: readonly string[];
  /** Of the suite, for a message. */
  readonly output: string;
}

const program = 'node_modules/@modelcontextprotocol/conformance/dist/index.js';
const suiteTimeoutMs = 80_000;
const scenarioTimeoutMs = 20_000;
const outputBytesMax = 64 * 1024 * 1024;

/** All that the revision requires, and what it leaves to the server. */
export async function runSuite(url: string, token: string, revision: Revision): Promise<SuiteResult> {
  const door = await openDoor(url, token);
  const folder = makeTempFolder('mooring-conformance');
  try {
    const args = ['server', '--url', door.url, '--requirements', revision];
    const output = await outputOf([...args, '-o', folder, '--timeout', String(scenarioTimeoutMs)]);
    return { ...resultsIn(folder), output };
  } finally {
    door.close();
    removeFolder(folder);
  }
}

/** The suite ends with 1 when a check failed: its files say which. */
async function outputOf(args: readonly string[]): Promise<string> {
  return await new Promise((resolve) => {
    execFile(
      process.execPath,
      [program, ...args],
      { timeout: suiteTimeoutMs, maxBuffer: outputBytesMax },
      (_error, stdout, stderr) => resolve(stdout + stderr),
    );
  });
}

interface Check {
  readonly id: string;
  readonly status: string;
}

function resultsIn(folder: string): Omit<SuiteResult, 'output'> {
  const passed: string[] = [];
  const failed: string[] = [];
  for (const file of readdirSync(folder, { recursive: true }) as string[]) {
    if (path.basename(file) !== 'checks.json') continue;
    const scenario = path.basename(path.dirname(file)).replace(/^server-|-\d{4}-\d\d-\d\dT.*$/g, '');
    const checks = JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as Check[];
    const failures = checks.filter(({ status }) => status === 'FAILURE');
    failed.push(...failures.map(({ id }) => `${scenario}: ${id}`));
    if (failures.length === 0 && checks.some(({ status }) => status === 'SUCCESS')) passed.push(scenario);
  }
  return { passed: passed.sort(), failed: [...new Set(failed)].sort() };
}

/** Passes everything on and adds the token. Host and Origin stay as they are, but for the door's own port. */
async function openDoor(url: string, token: string): Promise<{ readonly url: string; close(): void }> {
  const target = new URL(url);
  const door = createServer((incoming, answer) => {
    const { port } = door.address() as AddressInfo;
    const headers: OutgoingHttpHeaders = { ...incoming.headers, authorization: `Bearer ${token}` };
    for (const name of ['host', 'origin']) {
      const value = headers[name];
      if (typeof value === 'string') headers[name] = value.replace(`:${port}`, `:${target.port}`);
    }
    const passedOn = request(
      { port: target.port, host: target.hostname, path: target.pathname, method: incoming.method, headers },
      (answered) => {
        answer.writeHead(answered.statusCode ?? 502, answered.headers);
        answered.pipe(answer);
      },
    );
    passedOn.on('error', () => answer.destroy());
    answer.on('close', () => passedOn.destroy());
    incoming.pipe(passedOn);
  });
  await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve));
  const close = () => {
    door.close();
    door.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${(door.address() as AddressInfo).port}${target.pathname}`, close };
}
