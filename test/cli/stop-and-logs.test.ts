// mooring stop and mooring logs on a running agent, and the log after its end.
import { appendFileSync, statSync } from 'node:fs';
import { expect, it, vi } from 'vitest';
import { logFiles } from '../../server/platform/observe/log-file.ts';
import { mooring, startAgent } from '../support/agent-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

vi.setConfig({ testTimeout: 300_000 });

it('stops the agent, waits for its end, and shows its log afterwards', async () => {
  const agent = await startAgent();
  const run = async (...args: readonly string[]) => await mooring(args, { dataDir: agent.dataDir });
  const { pid } = agent;
  const stopped = await run('stop', '--json');
  expect(stopped).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(stopped.stdout)).toEqual({ stopped: true, pid, dataDir: agent.dataDir });
  expect(await agent.exited).toEqual({ code: 0, signal: null });
  expect(await run('stop')).toMatchObject({ code: 5, stdout: '' });

  const shown = await run('logs', '--utc');
  expect(shown.code).toBe(0);
  expect(shown.stdout).toMatch(
    /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ {2}INFO {3}agent is ready {2}source=agent {2}url=http/m,
  );
  expect(shown.stdout).toContain('agent has stopped');
  if (process.platform !== 'win32')
    expect(statSync(logFiles(agent.dataDir).current).mode & 0o777).toBe(0o600);

  const entry = (fields: object) =>
    appendFileSync(
      logFiles(agent.dataDir).current,
      `${JSON.stringify({ time: '2026-11-23T10:00:00Z', ...fields })}\n`,
    );
  entry({ level: 'warn', msg: 'slow \u001b[31m', correlationId: 'one' });
  entry({ level: 'error', msg: 'failed', correlationId: 'two', err: { message: 'no space' } });
  appendFileSync(logFiles(agent.dataDir).current, 'not JSON\n{"unfinished');
  expect((await run('logs', '--level', 'warn', '--json')).stdout.trim().split('\n')).toHaveLength(2);
  const one = await run('logs', '--correlation-id', 'two');
  expect(one.stdout).toMatch(/ERROR {2}failed {2}correlationId=two {2}err="no space"\n$/);
  expect((await run('logs')).stdout).toMatch(/not JSON\n$/);
  expect((await run('logs', '--limit', '1')).stderr).toMatch(/^1 of \d+ entries printed/);
  expect((await run('logs', '--since', '1m', '--level', 'error')).stderr).toBe('No matching entries.\n');
  expect(await run('logs', '--level', 'loud')).toMatchObject({ code: 2 });
});

it('says where it looked when there is no log', async () => {
  const dataDir = tempFolder('mooring-data');
  expect(await mooring(['logs'], { dataDir })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`There is no log in ${dataDir}.`),
  });
});
