// mooring serve: ready line, signals, one agent per data directory, ports in use.
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import path from 'node:path';
import Database from 'better-sqlite3';
import { expect, it, onTestFinished, vi } from 'vitest';
import { mooring, startAgent } from '../support/agent-process.ts';
import { freshWorkspace, ownerClient } from '../support/client-of.ts';
import { tempFolder } from '../support/temp-folder.ts';

// Each of these tests starts agents.
vi.setConfig({ testTimeout: 300_000 });

/** A port that is in use until the test ends. */
async function takePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => await new Promise<void>((resolve) => server.close(() => resolve())));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

it('prints one ready line, and writes agent.json', async () => {
  const agent = await startAgent();
  expect(agent.ready).toEqual({
    event: 'ready',
    url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    pid: expect.any(Number),
    dataDir: agent.dataDir,
    ownerTokenFile: path.join(agent.dataDir, 'owner.token'),
    uiUrl: `${agent.url}/`,
  });
  expect(await (await fetch(`${agent.url}/health`)).json()).toEqual({ status: 'ok' });
  expect(JSON.parse(readFileSync(path.join(agent.dataDir, 'agent.json'), 'utf8'))).toMatchObject({
    url: agent.url,
    pid: agent.pid,
  });
  expect(statSync(agent.dataDir).mode & 0o777).toBe(0o700);
  expect(statSync(agent.ready.ownerTokenFile).mode & 0o777).toBe(0o600);
});

it.each(['SIGTERM', 'SIGINT'] as const)(
  '%s: finishes running requests, ends with 0 and deletes agent.json',
  async (signal) => {
    const agent = await startAgent();
    const { client, workspaceId } = await freshWorkspace(agent);
    // Writes are running when the signal arrives. Each is either refused or answered.
    const writes = Array.from({ length: 50 }, (_, at) => client.writeFile(workspaceId, `/f${at}`, `${at}`));
    await writes[0];
    process.kill(agent.pid, signal);
    const outcomes = await Promise.allSettled(writes);
    expect(await agent.exited).toEqual({ code: 0, signal: null });
    expect(existsSync(path.join(agent.dataDir, 'agent.json'))).toBe(false);
    await agent.start();
    const { entries } = await ownerClient(agent).listTree(workspaceId);
    const there = new Set(entries.map((entry) => entry.path));
    const acknowledged = outcomes.flatMap((outcome, at) =>
      outcome.status === 'fulfilled' ? [`/f${at}`] : [],
    );
    expect(acknowledged.filter((file) => !there.has(file))).toEqual([]);
  },
);

it("refuses a second agent on one data directory and names the first one's pid and address", async () => {
  const agent = await startAgent();
  const second = await mooring(['serve', '--listen', '127.0.0.1:0'], { dataDir: agent.dataDir });
  expect(second.code).toBe(1);
  expect(second.stderr).toContain(String(agent.pid));
  expect(second.stderr).toContain(agent.url);
  expect((await fetch(`${agent.url}/health`)).status).toBe(200);
});

it('reports a port in use', async () => {
  const port = await takePort();
  const result = await mooring(['serve', '--listen', `127.0.0.1:${port}`], {
    dataDir: tempFolder('mooring-data'),
  });
  expect(result.code).toBe(1);
  expect(result.stderr).toContain(String(port));
  expect(result.stderr).toContain('--listen');
});

it('reports an encrypted secrets file without its key, and does not change the file', async () => {
  const dataDir = tempFolder('mooring-data');
  const file = path.join(dataDir, 'provider-secrets.json');
  writeFileSync(file, '{"sealed":"c2VhbGVk"}');
  const result = await mooring(['serve', '--listen', '127.0.0.1:0'], { dataDir });
  expect(result.code).toBe(1);
  expect(result.stderr).toContain('only the desktop app can reach');
  expect(result.stderr).toContain('move the file away');
  expect(result.stderr).not.toContain('    at ');
  expect(readFileSync(file, 'utf8')).toBe('{"sealed":"c2VhbGVk"}');
});

it('starts again after kill -9', async () => {
  const agent = await startAgent();
  await agent.kill9();
  await agent.start();
  expect((await fetch(`${agent.url}/health`)).status).toBe(200);
});

it('refuses a database of a newer version and changes nothing', async () => {
  const agent = await startAgent();
  await agent.stop();
  const file = path.join(agent.dataDir, 'mooring.db');
  const database = new Database(file);
  database.pragma('user_version = 9999');
  database.close();
  const result = await mooring(['serve', '--listen', '127.0.0.1:0'], { dataDir: agent.dataDir });
  expect(result.code).toBe(1);
  expect(result.stderr).toContain('9999');
});

it('reports a missing or corrupted database at the start and in doctor', async () => {
  const agent = await startAgent();
  await agent.stop();
  const file = path.join(agent.dataDir, 'mooring.db');
  const whole = readFileSync(file);
  writeFileSync(file, Buffer.concat([Buffer.alloc(4096, 0xa5), whole.subarray(4096)]));
  const damaged = await mooring(['serve', '--listen', '127.0.0.1:0'], { dataDir: agent.dataDir });
  expect(damaged).toMatchObject({ code: 1 });
  expect(damaged.stderr).toContain('mooring.db is corrupted');
  expect(damaged.stderr).toContain('mooring backup restore DIR');
  expect(damaged.stderr).not.toContain('    at ');
  const doctor = await mooring(['doctor'], { dataDir: agent.dataDir });
  expect(doctor).toMatchObject({ code: 1 });
  expect(doctor.stdout).toContain('FAILED   store: database: file is not a database');

  rmSync(file);
  writeFileSync(`${file}-wal`, 'what was written last');
  const gone = await mooring(['serve', '--listen', '127.0.0.1:0'], { dataDir: agent.dataDir });
  expect(gone).toMatchObject({ code: 1 });
  expect(gone.stderr).toContain('mooring.db is gone or empty');
  expect(existsSync(file)).toBe(false);
  writeFileSync(file, whole);
  rmSync(`${file}-wal`);
  await agent.start();
  expect((await fetch(`${agent.url}/health`)).status).toBe(200);
});

it('serves no UI with --no-ui and omits it from the ready line', async () => {
  const agent = await startAgent({ args: ['--no-ui'] });
  expect(agent.ready.uiUrl).toBeUndefined();
  expect((await fetch(`${agent.url}/`)).status).toBe(404);
});

it('reads settings from variables and config.json, with precedence for flags', async () => {
  const dataDir = tempFolder('mooring-data');
  const agent = await startAgent({ dataDir, env: { MOORING_METRICS: 'open' } });
  expect((await fetch(`${agent.url}/metrics`)).status).toBe(200);
  await agent.stop();
  const closed = await startAgent({
    dataDir,
    env: { MOORING_METRICS: 'open' },
    args: ['--metrics', 'token'],
  });
  expect((await fetch(`${closed.url}/metrics`)).status).toBe(401);
});

it('answers on [::1] at the same port', async ({ skip }) => {
  skip(
    !Object.values(networkInterfaces())
      .flat()
      .some((one) => one?.address === '::1'),
    'no IPv6 loopback here',
  );
  const agent = await startAgent();
  const { port } = new URL(agent.url);
  expect((await fetch(`http://[::1]:${port}/health`)).status).toBe(200);
});
