// Every screen in both themes and both sizes; what only one screen has is looked at in its own file.
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from './fixtures.ts';
import { expectFits, look } from './look.ts';
import type { UiAgent } from './ui-agent.ts';

async function populate(agent: UiAgent): Promise<{ workspaceId: string; dir: string }> {
  const dir = agent.folder('product-docs');
  mkdirSync(path.join(dir, 'guides/start'), { recursive: true });
  writeFileSync(path.join(dir, 'README.md'), '# Product docs\n\nStart with the guides.\n');
  for (const name of ['faq', 'glossary', 'onboarding-guide', 'pricing', 'style-guide']) {
    const lines = Array.from(
      { length: 60 },
      (_, index) =>
        `${index + 1}. A sentence of the ${name}, long enough to be wrapped where the pane is narrow.`,
    );
    writeFileSync(path.join(dir, 'guides', `${name}.md`), `# ${name}\n\n${lines.join('\n')}\n`);
  }
  const { workspaceId } = await agent.mirror('product-docs', dir);
  await agent.mirror('release-notes');
  await agent.client.workspaces.create({ name: 'drafts' });
  await agent.client.writeFile(workspaceId, '/guides/pricing.md', '# Pricing\n', {
    contentType: 'text/markdown',
    semantics: {
      properties: { status: 'live', owner: 'docs' },
      relations: ['team-charter'],
      comments: ['c_1'],
    },
  });
  await agent.settle();
  return { workspaceId, dir };
}

test('every screen looks right', async ({ page, agent, signIn }) => {
  await signIn();
  await page.getByRole('link', { name: 'Skip setup' }).click();
  await expect(page.getByRole('heading', { name: 'First steps' })).toBeVisible();
  await look(page, 'first-steps');
  const { workspaceId, dir } = await populate(agent);
  await expect(page.getByRole('article', { name: 'product-docs: Up to date' })).toBeVisible();
  await look(page, 'overview');
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  await look(page, 'keys');
  await page.keyboard.press('Escape');
  await page.keyboard.press('n');
  await expect(page.getByRole('dialog', { name: 'Mirror a folder' })).toBeVisible();
  await look(page, 'mirror-dialog');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'More for drafts' }).click();
  await page.getByRole('menuitem', { name: 'Create an access token…' }).click();
  await look(page, 'token-dialog');
  await page.keyboard.press('Escape');
  await page.goto(`${agent.url}/#files/guides/onboarding-guide.md?workspace=${workspaceId}`);
  await expect(page.getByRole('region', { name: 'Content of onboarding-guide.md' })).toBeVisible();
  await look(page, 'files');
  await page.goto(`${agent.url}/#files/guides/pricing.md?workspace=${workspaceId}&view=details`);
  await expect(page.getByRole('region', { name: 'Details' })).toContainText('status=live');
  await look(page, 'files-details');
  await page.keyboard.press('y');
  const why = page.getByRole('region', { name: 'Explain' });
  await expect(why).toContainText('Up to date');
  await expect(why.getByRole('region', { name: dir })).toContainText('Workspace');
  await look(page, 'files-explain');
  await page.goto(`${agent.url}/#files/nothing/?workspace=${workspaceId}`);
  await expect(page.getByText('No files in this folder')).toBeVisible();
  await look(page, 'files-empty');
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('option').first()).toBeVisible();
  await look(page, 'finder');
  await page.keyboard.press('Escape');
  await page.goto(`${agent.url}/#overview`);
  // At once: a folder that is deleted file by file halts for another reason.
  renameSync(dir, `${dir}-elsewhere`);
  // No event tells of it; the next scan does, after ten seconds at the latest.
  await expect(page.getByRole('article', { name: 'product-docs: Halted' })).toBeVisible({
    timeout: 60_000,
  });
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('1 mirror halted. Nothing was deleted.');
  await look(page, 'halted');
  await agent.kill();
  await expect(page.getByRole('button', { name: 'Retry now' })).toBeVisible();
  await look(page, 'offline');
});

test('an empty screen says what would be in it, and nothing else', async ({ page, agent, signIn }) => {
  const { workspaceId } = await agent.client.workspaces.create({ name: 'notes' });
  await signIn();
  for (const [screen, title] of [
    ['activity', 'No events yet'],
    ['conflicts', 'No conflicts'],
    ['dead-letters', 'No dead letters'],
    ['writeback', 'No operations'],
    ['operations', 'No operations of providers'],
  ] as const) {
    await page.goto(`${agent.url}/#${screen}?workspace=${workspaceId}`);
    await expect(page.getByRole('heading', { name: title })).toBeVisible();
    await expect(page.getByText(/^No .* selected/)).toBeHidden();
    await look(page, `${screen}-empty`);
  }
});

test('every screen fits at 200 % zoom and on a large display', async ({ page, agent, signIn }) => {
  const { workspaceId } = await populate(agent);
  await agent.client.sync.ingestWebhook(workspaceId, {
    provider: 'slack',
    event_type: 'file.updated',
    path: '/slack/../a.md',
    data: { content: 'x' },
  });
  await agent.client.runs.create(workspaceId, { name: 'Rename glossary terms' });
  await signIn();
  for (const screen of [
    'overview',
    'files',
    'files/guides/pricing.md',
    'search',
    'runs',
    'activity',
    'conflicts',
    'dead-letters',
    'writeback',
    'operations',
    'logs',
    'remotes',
    'settings/workspaces',
    'settings/tokens',
    'settings/app',
    'settings/diagnostics',
  ]) {
    await page.goto(`${agent.url}/#${screen}?workspace=${workspaceId}`);
    // A rendered document has headings of its own after that of the screen.
    await expect(page.getByRole('heading', { level: 1 }).first()).toBeAttached();
    await expectFits(page, `fits-${screen.replaceAll('/', '-')}`);
  }
});

test('all mirrors are paused and resumed in the top bar, by keyboard alone', async ({
  page,
  agent,
  signIn,
}) => {
  await agent.mirror('notes');
  await agent.mirror('plans');
  await signIn();
  const top = page.getByRole('banner');
  await top.getByRole('button', { name: 'Pause all' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem', { name: 'For 1 hour' })).toBeFocused();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('article', { name: 'notes: Paused' })).toBeVisible();
  await expect(page.getByRole('article', { name: 'plans: Paused' })).toBeVisible();
  await expect(top.getByRole('button', { name: 'Resume all' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('article', { name: 'notes: Up to date' })).toBeVisible();
  await expect(top.getByRole('button', { name: 'Pause all' })).toBeVisible();
});

test('a theme is chosen in the menu, and kept', async ({ page, signIn }) => {
  await signIn();
  for (const name of ['Dark', 'Light'] as const) {
    await page.getByRole('button', { name: /^Theme:/ }).click();
    await page.getByRole('menuitemradio', { name }).click();
    await expect(page.locator('html')).toHaveAttribute('data-theme', name.toLowerCase());
    await page.reload();
    await expect(page.getByRole('button', { name: `Theme: ${name}` })).toBeVisible();
    await expect(page.locator('html')).toHaveAttribute('data-theme', name.toLowerCase());
  }
});
