// An agent as a team has it after a month: 2,000 files, conflicts, dead letters, providers that refuse and that wait, a halted
// mirror. Made once for a worker; a job finds what it needs and may change it.
import { appendFileSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from '@playwright/test';
import { deadLetterCases, takenPath } from '../../support/dead-letter-cases.ts';
import { ProviderProcess, providerSecret } from '../../support/provider-process.ts';
import { pngOf } from '../png.ts';
import { UiAgent } from '../ui-agent.ts';

const productFiles = 2_000;
const deskFiles = 60;
const settleMs = 120_000;

export interface FilledAgent {
  readonly agent: UiAgent;
  /** Takes what it is sent, unless a job tells it otherwise. */
  readonly linear: ProviderProcess;
  /** Mirrored, with conflicts and the providers linear and notion. */
  readonly product: { readonly workspaceId: string; readonly dir: string };
  /** Without a folder, with dead letters. */
  readonly inbox: { readonly workspaceId: string };
  /** Its mirror is halted: all of its files were deleted. */
  readonly desk: { readonly workspaceId: string; readonly dir: string };
  dispose(): Promise<void>;
}

const topics = ['berths', 'cranes', 'fees', 'pilots', 'safety', 'tides', 'tugs', 'weather'] as const;

function productFile(index: number): { readonly path: string; readonly content: string } {
  const topic = topics[index % topics.length] ?? 'berths';
  const number = Math.floor(index / topics.length);
  const name = `${topic}-${number}`;
  const folder = `/guides/${topic}/${Math.floor(number / 50)}`;
  if (index % 10 === 0)
    return {
      path: `${folder}/${name}.json`,
      content: `${JSON.stringify({ topic, number, fee: number * 3 }, null, 2)}\n`,
    };
  const lines = [
    `# ${topic} ${number}`,
    '',
    `The harbour office keeps rule ${number} on ${topic}.`,
    '',
    '- [x] Written',
    '- [ ] Reviewed',
  ];
  return { path: `${folder}/${name}.md`, content: `${lines.join('\n')}\n` };
}

const checklist = [
  '# Release checklist',
  '',
  'Freeze: Thursday 16:00 UTC',
  'Owner: on-call',
  '',
  '- Tag the build',
];
const textOf = (lines: readonly string[]): string => `${lines.join('\n')}\n`;
const clashes: readonly (readonly [
  name: string,
  before: string | Buffer,
  local: string | Buffer,
  remote: string | Buffer,
])[] = [
  [
    'checklist.md',
    textOf(checklist),
    textOf(checklist.with(2, 'Freeze: Thursday 14:00 UTC')),
    textOf(checklist.with(2, 'Freeze: Wednesday 16:00 UTC')),
  ],
  ['handover.md', 'Shift: day\nGate: 3\n', 'Shift: night\nGate: 3\n', 'Shift: evening\nGate: 3\n'],
  ['quay.png', pngOf(40, 24), pngOf(60, 24), pngOf(40, 36)],
  ['roster.md', 'Monday: Ana\n', 'Monday: Ben\n', 'Monday: Cleo\n'],
];

async function fillProduct(agent: UiAgent, linear: ProviderProcess): Promise<FilledAgent['product']> {
  const { client } = agent;
  const dir = agent.folder('product-docs');
  for (const [name, before] of clashes) writeFileSync(path.join(dir, name), before);
  const { workspaceId } = await agent.mirror('product-docs', dir);
  const files = Array.from({ length: productFiles }, (_, index) => productFile(index));
  await client.files.writeMany(workspaceId, files);
  const readme = '/README.md';
  for (const [minute, text] of ['one', 'two words', 'two other words'].entries())
    await client.writeFile(workspaceId, readme, `# Harbour\n\nVersion ${minute}: ${text}\n`);
  await agent.settle();
  await makeConflicts(agent, workspaceId, dir);
  const http = { kind: 'http', url: linear.url, secret: providerSecret, allowPlainHttp: true } as const;
  await client.providers.add(workspaceId, { provider: 'linear', ...http, allowPrivateAddresses: true });
  await client.providers.add(workspaceId, { provider: 'notion', kind: 'external' });
  await client.writeFile(workspaceId, '/linear/ENG-1.json', '{\n  "title": "one"\n}\n');
  await expect.poll(() => linear.taken.length, { timeout: settleMs }).toBe(1);
  await linear.tell({ behaviour: { kind: 'status', status: 422, body: 'state is not known' } });
  for (const number of [1, 2, 3])
    await client.writeFile(workspaceId, `/linear/ENG-${number}.json`, `{\n  "title": "later ${number}"\n}\n`);
  const refused = async () => (await client.providers.get(workspaceId, 'linear')).deadLettered;
  await expect.poll(refused, { timeout: settleMs }).toBe(3);
  await linear.tell({ behaviour: { kind: 'take' } });
  await client.writeFile(workspaceId, '/notion/faq.md', '# FAQ\n');
  return { workspaceId, dir };
}

async function makeConflicts(agent: UiAgent, workspaceId: string, dir: string): Promise<void> {
  const { client } = agent;
  const [mirror] = await client.mirrors.list(workspaceId);
  await client.mirrors.pause(workspaceId, mirror?.mirrorId ?? '');
  for (const [name, , local, remote] of clashes) {
    writeFileSync(path.join(dir, name), local);
    await client.writeFile(workspaceId, `/${name}`, remote);
  }
  await client.mirrors.resume(workspaceId, mirror?.mirrorId ?? '');
  const open = async () => (await client.conflicts.list(workspaceId)).length;
  await expect.poll(open, { timeout: settleMs }).toBe(clashes.length);
}

async function fillInbox(agent: UiAgent): Promise<FilledAgent['inbox']> {
  const { workspaceId } = await agent.client.workspaces.create({ name: 'inbox' });
  await agent.client.writeFile(workspaceId, takenPath, 'a file\n');
  const { sync } = agent.client;
  for (const { provider, payload } of deadLetterCases)
    await sync.ingestWebhook(workspaceId, { provider, ...payload } as Parameters<
      typeof sync.ingestWebhook
    >[1]);
  const total = async () => (await sync.deadLetters.list(workspaceId)).items.length;
  // One content is too large only for an agent with a lower limit.
  await expect.poll(total, { timeout: settleMs }).toBe(deadLetterCases.length - 1);
  return { workspaceId };
}

async function fillDesk(agent: UiAgent): Promise<FilledAgent['desk']> {
  const dir = agent.folder('desk');
  mkdirSync(path.join(dir, 'notes'), { recursive: true });
  for (let index = 0; index < deskFiles; index += 1)
    writeFileSync(path.join(dir, `note-${index}.md`), `${index}\n`);
  appendFileSync(path.join(dir, 'notes/plan.md'), '# Plan\n');
  const { workspaceId } = await agent.mirror('desk', dir);
  const [mirror] = await agent.client.mirrors.list(workspaceId);
  await agent.client.mirrors.pause(workspaceId, mirror?.mirrorId ?? '');
  for (const name of readdirSync(dir)) if (name.endsWith('.md')) rmSync(path.join(dir, name));
  await agent.client.mirrors.resume(workspaceId, mirror?.mirrorId ?? '');
  const state = async () => (await agent.client.mirrors.list(workspaceId))[0]?.state;
  await expect.poll(state, { timeout: settleMs }).toBe('halted');
  return { workspaceId, dir };
}

export async function fillAgent(): Promise<FilledAgent> {
  const agent = new UiAgent();
  const linear = await ProviderProcess.start();
  const dispose = async (): Promise<void> => {
    await linear.end();
    await agent.dispose();
  };
  try {
    await agent.start();
    const product = await fillProduct(agent, linear);
    const inbox = await fillInbox(agent);
    const desk = await fillDesk(agent);
    return { agent, linear, product, inbox, desk, dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}
