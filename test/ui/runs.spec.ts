// An agent works on a copy; a person reviews it, commits what is good, decides on conflicts, and undoes it as one.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { goByKeys } from './by-keys.ts';
import { expect, test } from './fixtures.ts';
import { look, lookAtState } from './look.ts';
import type { UiAgent } from './ui-agent.ts';

const fees = [
  '# Fees',
  '',
  'The port captain sets the fee of a slip once a year.',
  ...Array.from({ length: 20 }, (_, index) => `Line ${index + 4}.`),
  'Ask the port captain before you change your slip.',
];
const textOf = (lines: readonly string[]): string => `${lines.join('\n')}\n`;
const renamed = (text: string): string =>
  text.replaceAll('port captain', 'harbour master').replaceAll('slip', 'berth');

/** A workspace, and a run of an agent with four changes. */
async function runToReview({ client }: UiAgent): Promise<{ workspaceId: string; forkId: string }> {
  const { workspaceId } = await client.workspaces.create({ name: 'product-docs' });
  const write = async (at: string, text: string, options = {}): Promise<void> =>
    void (await client.writeFile(workspaceId, at, text, options));
  await write('/guides/fees.md', textOf(fees));
  await write('/guides/plan.md', 'Monday: paint\nTuesday: rest\n');
  await write('/notes/old.md', 'old\n');
  const { forkId } = await client.runs.create(workspaceId, {
    name: 'Rename glossary terms',
    command: ['claude', '-p', 'Rename the terms'],
  });
  await write('/guides/fees.md', renamed(textOf(fees)), { forkId });
  await write('/guides/plan.md', 'Friday: paint\nTuesday: rest\n', { forkId });
  await write('/notes/new.md', 'harbour master\n', { forkId });
  await client.deleteFile(workspaceId, '/notes/old.md', { forkId });
  return { workspaceId, forkId };
}

const detail = (page: Page) => page.getByRole('region', { name: 'Run', exact: true });
const files = (page: Page) => page.getByRole('grid', { name: 'Changed files' });

test('by keyboard a run is reviewed, committed in part, committed, and undone as one', async ({
  page,
  agent,
  signIn,
}) => {
  const { workspaceId, forkId } = await runToReview(agent);
  const contentOf = async (at: string): Promise<string | null> =>
    await agent.client.readFile(workspaceId, at).then(
      ({ content }) => content,
      () => null,
    );
  await signIn();
  await goByKeys(page, 'r', 'runs');
  await expect(page.getByRole('link', { name: /^Runs/ })).toContainText('1');
  await expect(detail(page).getByRole('heading')).toHaveText('Rename glossary terms');
  await expect(files(page).getByRole('row').filter({ hasText: 'fees.md' })).toContainText(
    '+2 lines added, −2',
  );

  // Words are marked, and what did not change is folded.
  const changes = page.getByRole('region', { name: 'Changes of fees.md' });
  await expect(changes.locator('mark')).toHaveText([
    'port captain',
    'slip',
    'harbour master',
    'berth',
    'port captain',
    'slip',
    'harbour master',
    'berth',
  ]);
  await changes.getByRole('button', { name: /^Show 14 unchanged lines$/ }).click();
  await expect(changes).toContainText('Line 13.');
  await look(page, 'runs-review');
  await page.getByRole('button', { name: 'Side by side' }).click();
  await expect(changes).toContainText('Before');
  await lookAtState(page, 'runs-review-sides');

  // What the agent changes while a person commits is shown first.
  const commits = '**/runs/*/commit';
  await page.route(commits, async (route) => {
    await agent.client.writeFile(workspaceId, '/notes/new.md', 'harbour masters\n', { forkId, ifMatch: '*' });
    await route.continue();
  });
  await page.keyboard.press('Control+Enter');
  await expect(detail(page).getByRole('alert')).toContainText(
    'The run has newer changes than those that were shown. Review them, then commit again. Nothing was committed.',
  );
  expect(await contentOf('/notes/new.md')).toBe(null);
  await page.unroute(commits);

  // The new file stays in the run.
  await page.keyboard.press('j');
  for (const key of ['End', 'k', 'x']) await page.keyboard.press(key);
  await expect(
    files(page).getByRole('row').filter({ hasText: 'new.md' }).getByRole('checkbox'),
  ).not.toBeChecked();
  await expect(page.getByRole('button', { name: 'Commit 3 of 4' })).toBeVisible();
  await page.keyboard.press('Control+Enter');
  await expect(detail(page)).toContainText('Partly committed');
  await expect(files(page).getByRole('row')).toHaveCount(2);
  expect(await contentOf('/guides/fees.md')).toBe(renamed(textOf(fees)));
  expect([await contentOf('/notes/old.md'), await contentOf('/notes/new.md')]).toEqual([null, null]);

  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('button', { name: /^Undo run/ })).toBeVisible();
  await expect(detail(page)).toContainText('Committed');
  await expect(files(page).getByRole('row')).toHaveCount(6);
  expect(await contentOf('/notes/new.md')).toBe('harbour masters\n');
  await expect(page.getByRole('link', { name: 'Runs', exact: true })).toBeVisible();

  // Later edits of other lines survive the undo.
  await agent.client.writeFile(
    workspaceId,
    '/guides/fees.md',
    renamed(textOf(fees.with(10, 'Edited later.'))),
  );
  await page.keyboard.press('u');
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('2 files reverted, 1 file restored, 1 file deleted, as one change.');
  await expect(dialog).toContainText('/guides/fees.md');
  await lookAtState(page, 'runs-undo');
  await dialog.getByRole('button', { name: 'Undo run' }).click();
  await expect(detail(page)).toContainText('Undone');
  expect(await contentOf('/guides/fees.md')).toBe(textOf(fees.with(10, 'Edited later.')));
  expect([await contentOf('/notes/old.md'), await contentOf('/notes/new.md')]).toEqual(['old\n', null]);
});

test('a conflict is decided before anything is written; changes appear while an agent works; a discard changes nothing', async ({
  page,
  agent,
  signIn,
}) => {
  const { workspaceId } = await runToReview(agent);
  await agent.client.writeFile(workspaceId, '/guides/plan.md', 'Sunday: paint\nTuesday: rest\n');
  await signIn();
  await page.goto(`${agent.url}/#runs?workspace=${workspaceId}`);
  await expect(detail(page)).toContainText('1 file changed in the workspace since');
  await page.getByRole('button', { name: /^Commit 4 files/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Resolve 1 conflict to commit' });
  await expect(dialog).toContainText('Both changed the same lines');
  await expect(dialog.getByRole('button', { name: 'Commit' })).toHaveAttribute('aria-disabled', 'true');
  expect((await agent.client.readFile(workspaceId, '/notes/old.md')).content).toBe('old\n');
  await dialog.getByRole('button', { name: 'Show difference' }).click();
  await expect(dialog.locator('mark')).toHaveText(['Sunday', 'Friday']);
  await lookAtState(page, 'runs-conflict');
  await dialog.getByRole('button', { name: 'Run’s version' }).click();
  await dialog.getByRole('button', { name: 'Commit' }).click();
  await expect(detail(page)).toContainText('Committed');
  expect((await agent.client.readFile(workspaceId, '/guides/plan.md')).content).toBe(
    'Friday: paint\nTuesday: rest\n',
  );

  // A run of one's own, filled by an agent while it is looked at.
  await page.keyboard.press('n');
  await page.getByRole('textbox', { name: 'Name' }).fill('Add a picture');
  await page.keyboard.press('Enter');
  await expect(detail(page)).toContainText('No changes yet');
  await lookAtState(page, 'runs-empty-run');
  const run = (await agent.client.runs.list(workspaceId)).runs.find(({ name }) => name === 'Add a picture');
  const { forkId = '' } = run ?? {};
  await agent.client.writeFile(workspaceId, '/notes/first.md', 'first\n', { forkId });
  await expect(files(page).getByRole('row').filter({ hasText: 'first.md' })).toBeVisible();
  const { dir } = await agent.client.runs.openFolder(workspaceId, run?.runId ?? '');
  await expect(detail(page)).toContainText(dir);
  await expect(detail(page).getByRole('button', { name: 'Copy the path of the folder' })).toBeVisible();
  await lookAtState(page, 'runs-folder');
  await page.getByRole('button', { name: 'Discard…' }).click();
  await page.getByRole('button', { name: 'Discard 1 change' }).click();
  await expect(detail(page)).toContainText('The run was discarded.');
  const { entries } = await agent.client.listTree(workspaceId, { path: '/notes', depth: 1 });
  expect(entries.map((entry) => entry.path)).toEqual(['/notes/new.md']);
});

test('what a command did to ignored files of the folder is listed with its difference, and the folder can be kept', async ({
  page,
  agent,
  signIn,
}) => {
  const live = agent.folder('built');
  mkdirSync(path.join(live, '.git'));
  writeFileSync(path.join(live, '.git/config'), '[core]\n');
  writeFileSync(path.join(live, 'notes.md'), 'notes\n');
  const { workspaceId } = await agent.mirror('built', live);
  const { runId } = await agent.client.runs.create(workspaceId, { name: 'Set up hooks' });
  const { dir } = await agent.client.runs.openFolder(workspaceId, runId);
  const sync = async () => void (await agent.client.runs.syncFolder(workspaceId, runId));
  await sync();
  mkdirSync(path.join(dir, '.git/hooks'));
  writeFileSync(path.join(dir, '.git/hooks/pre-commit'), 'curl example.org\n');
  writeFileSync(path.join(dir, '.git/config'), '[core]\n[alias]\n');
  writeFileSync(path.join(dir, 'notes.md'), 'more notes\n');
  await sync();
  await signIn();
  await page.goto(`${agent.url}/#runs?workspace=${workspaceId}`);
  await detail(page).getByRole('button', { name: '2 ignored files changed' }).click();
  const dialog = page.getByRole('dialog', { name: 'Changes of ignored files' });
  await expect(dialog).toContainText('1 created, 1 updated, 0 deleted');
  const rows = dialog.getByRole('listitem');
  await expect(rows).toHaveCount(2);
  await rows.filter({ hasText: 'config' }).getByRole('button', { name: 'Show difference' }).click();
  await expect(rows.filter({ hasText: 'config' })).toContainText('added: [alias]');
  await rows.filter({ hasText: 'pre-commit' }).getByRole('button', { name: 'Show difference' }).click();
  await expect(rows.filter({ hasText: 'pre-commit' })).toContainText('added: curl example.org');
  await lookAtState(page, 'runs-ignored');
  await dialog.getByRole('checkbox', { name: /^Keep the folder/ }).check();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: /^Commit 1 file/ }).click();
  await expect(detail(page)).toContainText('Committed');
  await expect.poll(() => readFileSync(path.join(live, 'notes.md'), 'utf8')).toBe('more notes\n');
  expect(readFileSync(path.join(live, '.git/config'), 'utf8')).toBe('[core]\n');
  expect(readFileSync(path.join(dir, '.git/config'), 'utf8')).toBe('[core]\n[alias]\n');
});
