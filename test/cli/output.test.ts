// What commands print of names and contents that anybody may have written: a terminal must not do what they say.
import { expect, it, vi } from 'vitest';
import { printContent, visible } from '../../server/cli/output.ts';
import { mooring, startAgent } from '../support/agent-process.ts';
import { freshWorkspace } from '../support/client-of.ts';

vi.setConfig({ testTimeout: 60_000 });

const title = '\u001b]0;title\u0007';

it.each([
  ['a title', title, '\\u001b]0;title\\u0007'],
  ['a line of its own', 'a\nrw_1  another', 'a\\u000arw_1  another'],
  ['a line written over', 'a\rb\u0008', 'a\\u000db\\u0008'],
  ['a control of eight bits', '\u009b2J', '\\u009b2J'],
  ['a line turned around', 'txt.\u202egpj', 'txt.\\u202egpj'],
  ['what people write', 'Ärger\t\u05d0 \u{1f600} \\u001b', 'Ärger\t\u05d0 \u{1f600} \\u001b'],
])('%s is one line that does nothing', (_, text, shown) => {
  expect(visible(text)).toBe(shown);
  expect(JSON.parse(visible(JSON.stringify({ text })))).toEqual({ text });
});

it('content goes to a program as it is, and is made visible on a terminal', () => {
  const written: unknown[] = [];
  const stdout = vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    written.push(chunk);
    return true;
  });
  try {
    const bytes = Buffer.from(`one\n\ttwo${title}\n`);
    printContent(bytes, false);
    printContent(bytes, true);
    expect(written).toEqual([bytes, 'one\n\ttwo\\u001b]0;title\\u0007\n']);
  } finally {
    stdout.mockRestore();
  }
});

it('a file may have any name, and a list of them has one line for each', async () => {
  const agent = await startAgent();
  const { workspaceId, client } = await freshWorkspace(agent);
  const path = `/a${title}\nop_9  succeeded  forged`;
  await client.writeFile(workspaceId, path, title, { ifMatch: '0' });
  const of = ['--workspace', workspaceId];
  for (const command of [
    ['log', '/'],
    ['log', path],
    ['ops', 'list'],
    ['explain', path],
  ]) {
    const { code, stdout, stderr } = await mooring([...command, ...of], { dataDir: agent.dataDir });
    const lines = (stdout + stderr).split('\n');
    expect([command[0], code, lines]).toEqual([command[0], 0, lines.map(visible)]);
    expect(stdout.split('\n').filter((line) => line.startsWith('op_9'))).toEqual([]);
  }
  const shown = await mooring(['show', path, ...of], { dataDir: agent.dataDir });
  expect(shown).toMatchObject({ code: 0, stdout: title });
});
