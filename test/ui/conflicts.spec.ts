import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { look } from './look.ts';
import { pngOf } from './png.ts';
import type { UiAgent } from './ui-agent.ts';

const base = [
  '# Release checklist',
  '',
  'Freeze: Thursday 16:00 UTC',
  'Owner: on-call',
  '',
  '- Tag the build',
];
const local = base.with(2, 'Freeze: Thursday 14:00 UTC');
const remote = base.with(2, 'Freeze: Wednesday 16:00 UTC');
const textOf = (lines: readonly string[]): string => `${lines.join('\n')}\n`;

/** Files changed on both sides while the mirror was paused. */
async function conflicts(
  agent: UiAgent,
  files: Readonly<Record<string, readonly [before: string | null, local: string | Buffer, remote: string]>>,
): Promise<{ workspaceId: string; dir: string }> {
  const dir = agent.folder('docs');
  for (const [name, [before]] of Object.entries(files)) {
    if (before !== null) writeFileSync(path.join(dir, name), before);
  }
  const { workspaceId } = await agent.mirror('docs', dir);
  const [mirror] = await agent.client.mirrors.list(workspaceId);
  if (mirror === undefined) throw new Error('no mirror');
  await agent.client.mirrors.pause(workspaceId, mirror.mirrorId);
  for (const [name, [, inFolder, inWorkspace]] of Object.entries(files)) {
    writeFileSync(path.join(dir, name), inFolder);
    await agent.client.writeFile(workspaceId, `/${name}`, inWorkspace);
  }
  await agent.client.mirrors.resume(workspaceId, mirror.mirrorId);
  await expect
    .poll(async () => (await agent.client.conflicts.list(workspaceId)).length, { timeout: 60_000 })
    .toBe(Object.keys(files).length);
  return { workspaceId, dir };
}

const plan = { 'plan.md': [textOf(base), textOf(local), textOf(remote)] } as const;
/** Ends the eight seconds in which the choice can be undone. */
const settleChoice = async (page: Page): Promise<void> =>
  await page.getByRole('region', { name: 'Last action' }).getByRole('button', { name: 'Close' }).click();

test('1, 2 and 3 keep local, remote and both; Undo restores the conflict unchanged', async ({
  page,
  agent,
  signIn,
}) => {
  const { workspaceId, dir } = await conflicts(agent, {
    'a.md': ['one\n', 'local a\n', 'remote a\n'],
    'b.md': ['one\n', 'local b\n', 'remote b\n'],
    'c.md': [null, 'local c\n', 'remote c\n'],
  });
  await signIn();
  await page.goto(`${agent.url}/#conflicts`);
  const row = (name: string) => page.getByRole('row').filter({ hasText: name });
  const choose = async (name: string, key: string, done: string): Promise<void> => {
    await row(name).click();
    await expect(page.getByRole('region', { name: 'Both versions' })).toContainText(`local ${name[0]}`);
    await page.keyboard.press(key);
    await expect(page.getByRole('region', { name: 'Last action' })).toContainText(`${done}: /${name}.`);
    await expect(row(name)).toHaveCount(0);
  };
  await choose('a.md', '2', 'Kept remote');
  await page.keyboard.press('Control+z');
  await expect(row('a.md')).toBeVisible();
  expect(await agent.client.conflicts.list(workspaceId)).toHaveLength(3);
  await choose('a.md', '1', 'Kept local');
  await choose('b.md', '2', 'Kept remote');
  await choose('c.md', '3', 'Kept both');
  await settleChoice(page);
  await expect.poll(async () => await agent.client.conflicts.list(workspaceId)).toEqual([]);
  await agent.settle();
  const texts = readdirSync(dir)
    .filter((name) => name.endsWith('.md'))
    .map((name) => readFileSync(path.join(dir, name), 'utf8').trim())
    .sort();
  expect(texts).toEqual(['local a', 'local c', 'remote b', 'remote c']);
});

test('a version that changed meanwhile is not overwritten: the conflict reappears with its decisions', async ({
  page,
  agent,
  signIn,
}) => {
  const { workspaceId } = await conflicts(agent, plan);
  await signIn();
  await page.goto(`${agent.url}/#conflicts`);
  await page.getByRole('row').filter({ hasText: 'plan.md' }).click();
  await page.getByRole('button', { name: 'Local', exact: true }).click();
  await page.getByRole('button', { name: 'Save merge' }).click();
  const newer = textOf(remote.with(5, '- Tag the build twice'));
  await agent.client.writeFile(workspaceId, '/plan.md', newer);
  await settleChoice(page);
  await expect(page.getByRole('region', { name: 'Last action' })).toContainText('Merged: /plan.md: failed');
  await expect(page.getByRole('row').filter({ hasText: 'plan.md' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Both versions' })).toContainText('Tag the build twice');
  expect((await agent.client.readFile(workspaceId, '/plan.md')).content).toBe(newer);
  await expect(page.getByRole('button', { name: 'Local', exact: true })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
});

test('Conflicts look right', async ({ page, agent, signIn }) => {
  const { workspaceId } = await conflicts(agent, {
    ...plan,
    'picture.png': ['old', pngOf(48, 48), 'remote'],
    'notes.md': [null, 'one\ntwo\nthree\n', 'one\n2\nthree\n'],
  });
  await signIn();
  await page.goto(`${agent.url}/#conflicts?workspace=${workspaceId}`);
  // No list beside an empty pane.
  await expect(page.getByRole('row').first()).toHaveAttribute('aria-selected', 'true');
  await page.getByRole('row').filter({ hasText: 'plan.md' }).click();
  await expect(page.getByText('1 conflict to resolve')).toBeVisible();
  await look(page, 'conflicts-sides');
  await page.getByRole('button', { name: 'Three-way' }).click();
  await page.getByRole('button', { name: 'Type…' }).click();
  await look(page, 'conflicts-three');
  await page.getByRole('row').filter({ hasText: 'picture.png' }).click();
  await expect(page.getByText('no line view')).toBeVisible();
  const local = page.getByRole('region', { name: 'Local' });
  await expect(local.getByRole('img')).toBeVisible();
  await expect(local).toContainText('image/png');
  await look(page, 'conflicts-bytes');
  await page.getByRole('row').filter({ hasText: 'notes.md' }).click();
  await expect(page.getByText('so they cannot be merged')).toBeVisible();
  await look(page, 'conflicts-added');
});
