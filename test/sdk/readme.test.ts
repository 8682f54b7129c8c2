// Runs the examples of the SDK's README.
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, it, vi } from 'vitest';
import { startAgent } from '../support/agent-process.ts';
import { freshWorkspace } from '../support/client-of.ts';
import { tempFolder } from '../support/temp-folder.ts';

vi.setConfig({ testTimeout: 300_000 });

const root = path.resolve(import.meta.dirname, '../..');
const examples = [
  ...readFileSync(path.join(root, 'sdk/README.md'), 'utf8').matchAll(/```js\n([\s\S]*?)```/g),
].map(([, code]) =>
  (code ?? '').replaceAll('./sdk/index.ts', pathToFileURL(path.join(root, 'sdk/index.ts')).href),
);

const outputs = [
  ['# Today', 'Uint8Array(2) [ 0, 255 ]', 'file /notes/pixel.bin', 'file /notes/today.md'],
  ['/plans/trip.md 2 The ferry leaves at noon'],
  ['the file is now at rev_', ' 2'],
  ['3 lines'],
  ['write /tidy.md', '1 written', 'committed: /tidy.md'],
  ['10 of 1000000 from 999990'],
  ['now live', 'file.created /notes/live.md hello', 'now closed'],
  [' tester write', '-one\n+two\n', 'would update 1'],
  [],
];

it('has an expected output for every example', () => {
  expect(examples).toHaveLength(outputs.length);
});

it('runs every example', async () => {
  const agent = await startAgent();
  const { token, workspaceId } = await freshWorkspace(agent);
  const env = { ...process.env, AGENT_URL: agent.url, AGENT_TOKEN: token, AGENT_WORKSPACE: workspaceId };
  const folder = tempFolder('mooring-readme');
  for (const [index, code] of examples.entries()) {
    const file = path.join(folder, `example-${index}.mjs`);
    writeFileSync(file, code);
    const { stdout } = await promisify(execFile)(process.execPath, [file], { cwd: folder, env });
    for (const part of outputs[index] ?? []) expect(stdout).toContain(part);
  }
  expect(readFileSync(path.join(folder, 'workspace.tar.gz')).length).toBeGreaterThan(100);
});
