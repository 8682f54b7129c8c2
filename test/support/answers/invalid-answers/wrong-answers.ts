// Tests that must fail, though what they say themselves is true: the agent that they ask answers wrongly. Run by
// checked-answers.test.ts with the set-up of all tests, never by `npm test` itself.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeTempFolder, removeFolder } from '../../temp-folder.ts';

const dataDir = makeTempFolder();
const child = spawn(process.execPath, [path.join(import.meta.dirname, 'wrong-agent.ts'), dataDir], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
const headers = { authorization: '', 'x-correlation-id': 'planted' };
let url: string;

beforeAll(async () => {
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const ready = JSON.parse(line) as { url: string; ownerTokenFile: string };
  url = ready.url;
  headers.authorization = `Bearer ${readFileSync(ready.ownerTokenFile, 'utf8').trim()}`;
});
afterAll(async () => {
  const closed = once(child, 'close');
  child.kill('SIGKILL');
  await closed;
  removeFolder(dataDir);
});

it('a body that its schema does not allow', async () => {
  expect((await fetch(`${url}/health`)).status).toBe(200);
});

it('an answer as it should be', async () => {
  expect((await fetch(`${url}/v1/agent/status`, { headers })).status).toBe(200);
});

it('a status that nobody documented', async () => {
  expect((await fetch(`${url}/v1/workspaces`, { headers })).status).toBe(418);
});
