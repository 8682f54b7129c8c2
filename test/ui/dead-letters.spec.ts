// Dead letters: filtered, edited, replayed and dismissed, by click and by keyboard.
import type { Page } from '@playwright/test';
import { dataRows } from './data-rows.ts';
import { expect, test } from './fixtures.ts';
import { look } from './look.ts';
import type { UiAgent } from './ui-agent.ts';

interface Sent {
  readonly provider: string;
  readonly path: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

const broken: readonly Sent[] = [
  { provider: 'slack', path: '/slack/general.md' },
  { provider: 'slack', path: '/slack/ops.md' },
  { provider: 'github', path: '/github/repos/../secrets.json' },
  {
    provider: 'github',
    path: '/github/repos/harbor/logo.bin',
    data: { content: '***', encoding: 'base64', contentType: 'application/octet-stream' },
  },
];

/** A workspace where all of `broken` have failed. */
async function withDeadLetters(agent: UiAgent): Promise<string> {
  const { workspaceId } = await agent.mirror('product-docs');
  for (const [index, sent] of broken.entries()) {
    await agent.client.sync.ingestWebhook(workspaceId, {
      event_type: 'file.updated',
      delivery_id: `dlv_${8_800 + index}`,
      data: { content: `# ${sent.path}\n`, contentType: 'text/markdown' },
      ...sent,
    });
  }
  await expect.poll(async () => await countDeadLetters(agent, workspaceId)).toBe(broken.length);
  return workspaceId;
}

async function countDeadLetters(agent: UiAgent, workspaceId: string): Promise<number> {
  return (await agent.client.sync.deadLetters.list(workspaceId)).items.length;
}

async function openDeadLetters(page: Page, agent: UiAgent, workspaceId: string): Promise<void> {
  await page.goto(`${agent.url}/#dead-letters?workspace=${workspaceId}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Dead letters');
}

test('filters apply to the list and are part of the URL', async ({ page, agent, signIn }) => {
  const workspaceId = await withDeadLetters(agent);
  await signIn();
  await openDeadLetters(page, agent, workspaceId);
  await expect(dataRows(page)).toHaveCount(4);
  await expect(page.getByRole('link', { name: /^Dead letters.*4.*open/ })).toBeVisible();
  await page.getByRole('button', { name: 'slack 2' }).click();
  await expect(dataRows(page)).toHaveCount(2);
  await page.getByRole('button', { name: 'Cause: any' }).click();
  await page.getByRole('menuitemradio', { name: 'Content cannot be decoded' }).click();
  await expect(page.getByText('No matching dead letters')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.keyboard.press('/');
  await page.keyboard.type('secrets');
  await expect(dataRows(page)).toHaveCount(1);
  await page.reload();
  await expect(dataRows(page)).toHaveCount(1);
  await expect(page.getByLabel('Path, delivery id or cause')).toHaveValue('secrets');
  await page.getByRole('button', { name: 'Failed: any time' }).click();
  await page.getByRole('menuitemradio', { name: 'in the last hour' }).click();
  await expect(dataRows(page)).toHaveCount(1);
});

test('by keyboard alone a dead letter is edited, checked while typing and replayed; its file exists', async ({
  page,
  agent,
  signIn,
}) => {
  const workspaceId = await withDeadLetters(agent);
  await signIn();
  await openDeadLetters(page, agent, workspaceId);
  await expect(dataRows(page)).toHaveCount(4);
  await page.keyboard.press('End');
  await page.keyboard.press('j');
  await page.keyboard.press('End');
  await expect(page.getByRole('heading', { level: 2 })).toHaveText('/slack/general.md');
  await expect(page.getByRole('status').filter({ hasText: 'would fail again' })).toBeVisible();
  await page.keyboard.press('e');
  const field = page.getByLabel('Payload to replay, as JSON');
  await expect(field).toBeFocused();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('{');
  await expect(page.getByText('Not valid JSON')).toBeVisible();
  await field.fill(
    JSON.stringify({
      event_type: 'file.updated',
      path: '/slack/channels/general.md',
      data: { content: '# general\n', contentType: 'text/markdown' },
    }),
  );
  await expect(page.getByText('Would create /slack/channels/general.md (10 B)')).toBeVisible();
  await page.keyboard.press('Control+Enter');
  await expect.poll(async () => await countDeadLetters(agent, workspaceId)).toBe(3);
  await expect(page.getByText('Applied').first()).toBeVisible();
  await expect(dataRows(page)).toHaveCount(3);
  // A replayed dead letter leaves the list before it is applied.
  const content = async (): Promise<string | undefined> =>
    (await agent.client.files.query(workspaceId, { path: '/slack/channels' })).items.length === 0
      ? undefined
      : (await agent.client.readFile(workspaceId, '/slack/channels/general.md')).content;
  await expect.poll(content).toBe('# general\n');
});

test('a dead letter that fails again in a replay reappears with one more attempt', async ({
  page,
  agent,
  signIn,
}) => {
  const workspaceId = await withDeadLetters(agent);
  await signIn();
  await openDeadLetters(page, agent, workspaceId);
  await dataRows(page).first().click();
  await page.getByRole('button', { name: 'Replay', exact: true }).click();
  await expect(page.getByText('attempt 2')).toBeVisible();
  await expect(dataRows(page)).toHaveCount(4);
});

test('a dismissal can be undone for eight seconds; then the dead letter is deleted', async ({
  page,
  agent,
  signIn,
}) => {
  const workspaceId = await withDeadLetters(agent);
  await signIn();
  await openDeadLetters(page, agent, workspaceId);
  await dataRows(page).first().click();
  // The keys act on the open dead letter after it is loaded.
  await expect(page.getByRole('button', { name: 'Dismiss' })).toBeVisible();
  await page.keyboard.press('a');
  await expect(dataRows(page)).toHaveCount(3);
  await page.keyboard.press('Control+z');
  await expect(dataRows(page)).toHaveCount(4);
  expect(await countDeadLetters(agent, workspaceId)).toBe(4);
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await page.getByRole('region', { name: 'Last action' }).getByRole('button', { name: 'Close' }).click();
  await expect.poll(async () => await countDeadLetters(agent, workspaceId)).toBe(3);
});

test('several are selected, confirmed with their number, and processed together', async ({
  page,
  agent,
  signIn,
}) => {
  const workspaceId = await withDeadLetters(agent);
  await signIn();
  await openDeadLetters(page, agent, workspaceId);
  await page.getByRole('checkbox').first().click();
  await dataRows(page).nth(1).click();
  await page.keyboard.press('x');
  await expect(page.getByRole('region', { name: 'Selection' })).toContainText('2 selected');
  await page.keyboard.press('a');
  const dialog = page.getByRole('dialog', { name: 'Dismiss 2 dead letters?' });
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await dialog.getByRole('button', { name: 'Dismiss 2' }).click();
  await expect.poll(async () => await countDeadLetters(agent, workspaceId)).toBe(2);
  await expect(dataRows(page)).toHaveCount(2);
  await page.keyboard.press('Control+a');
  await page.keyboard.press('r');
  await page.getByRole('dialog').getByRole('button', { name: 'Replay 2' }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(dataRows(page)).toHaveCount(2);
});

test('without dead letters the screen explains itself, and a test webhook writes a file', async ({
  page,
  agent,
  signIn,
}) => {
  const { workspaceId } = await agent.mirror('product-docs');
  await signIn();
  await openDeadLetters(page, agent, workspaceId);
  await expect(page.getByRole('heading', { name: 'No dead letters' })).toBeVisible();
  await page.getByRole('button', { name: 'Send test webhook' }).click();
  await page.getByRole('link', { name: 'Open file' }).click();
  await expect(page.getByRole('region', { name: 'Content of hello.md' })).toContainText('A test webhook');
});

test('dead letters look right', async ({ page, agent, signIn }) => {
  const workspaceId = await withDeadLetters(agent);
  await signIn();
  await openDeadLetters(page, agent, workspaceId);
  await dataRows(page).first().click();
  await page.keyboard.press('x');
  await look(page, 'dead-letters');
  await page.keyboard.press('e');
  await look(page, 'dead-letters-edit');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+a');
  await page.getByRole('button', { name: /^Dismiss 4/ }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await look(page, 'dead-letters-dialog');
});

test('a payload of megabytes is edited at once, and replayed whole', async ({ page, agent, signIn }) => {
  const { workspaceId } = await agent.mirror('product-docs');
  const content = 'a line of a long text\n'.repeat(100_000);
  await agent.client.sync.ingestWebhook(workspaceId, {
    provider: 'github',
    event_type: 'file.updated',
    path: '/github/long.md',
    data: { content, encoding: 'latin1' },
  });
  await expect.poll(async () => await countDeadLetters(agent, workspaceId)).toBe(1);
  await signIn();
  await openDeadLetters(page, agent, workspaceId);
  await dataRows(page).first().click();
  await expect(page.getByText('1 long text shortened. A replay and Copy use all of it.')).toBeVisible();
  await page.keyboard.press('e');
  const field = page.getByRole('textbox', { name: 'Payload to replay, as JSON' });
  const shown = await field.inputValue();
  expect(shown).toContain('[text 1: 2,200,000 characters, shortened]');
  await field.fill(shown.replace('a line', 'A line'));
  await expect(
    page.getByText('A shortened text was changed. Leave it unchanged or replace all of it.').first(),
  ).toBeVisible();
  await field.fill(shown.replace('latin1', 'utf-8'));
  await expect(page.getByText('Would create /github/long.md')).toBeVisible();
  await look(page, 'dead-letter-long');
  await page.keyboard.press('Control+Enter');
  await expect
    .poll(
      async () => (await agent.client.readFile(workspaceId, '/github/long.md').catch(() => null))?.content,
    )
    .toBe(content);
});
