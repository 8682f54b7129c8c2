import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { goByKeys } from './by-keys.ts';
import { expect, test } from './fixtures.ts';
import { look, lookAtState } from './look.ts';

test('an empty agent teaches the first steps, and its form mirrors a folder', async ({
  page,
  agent,
  signIn,
}) => {
  const dir = agent.folder('notes');
  writeFileSync(path.join(dir, 'first.md'), 'one\n');
  await signIn();
  await page.getByRole('link', { name: 'Skip setup' }).click();
  await expect(page.getByRole('heading', { name: 'First steps' })).toBeVisible();
  await page.keyboard.press('n');
  const dialog = page.getByRole('dialog', { name: 'Mirror a folder' });
  await expect(dialog.getByLabel('Folder')).toBeFocused();
  await page.keyboard.type('notes');
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('Enter an absolute path')).toBeVisible();
  await dialog.getByLabel('Folder').fill(dir);
  await expect(dialog.getByLabel('Workspace name')).toHaveValue('notes');
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('article', { name: 'notes: Up to date' })).toContainText('1 file');
  await expect(page.getByRole('region', { name: 'Needs you' })).toHaveText(/Nothing waits for you\./);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Up to date');
  expect(readFileSync(path.join(dir, 'first.md'), 'utf8')).toBe('one\n');
});

test('a folder that the agent refuses keeps the dialog, says why, and leaves no empty workspace behind', async ({
  page,
  agent,
  signIn,
}) => {
  const { dir } = await agent.mirror('outer');
  for (const name of ['inner-one', 'inner-two']) mkdirSync(path.join(dir, name));
  await signIn();
  await page.getByRole('button', { name: 'Mirror a folder…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Mirror a folder' });
  await dialog.getByLabel('Folder').fill(path.join(dir, 'inner'));
  await expect(dialog.getByRole('option')).toHaveCount(2);
  await expect(dialog.getByRole('status')).toContainText('it overlaps the mirrored folder');
  // The list closes when the button takes the focus, and moves nothing, or the click would miss.
  await dialog.getByRole('button', { name: 'Mirror folder' }).click();
  await expect(dialog.getByRole('alert')).not.toBeEmpty();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toBeHidden();
  await expect
    .poll(async () => (await agent.client.workspaces.list()).map((workspace) => workspace.name))
    .toEqual(['outer']);
});

test('a difference that nothing listed explains is an alarm in the proof meter and on the card', async ({
  page,
  agent,
  signIn,
}) => {
  await agent.mirror('notes');
  const alarm = { since: '2026-11-20T12:31:07.000Z', files: 1, paths: ['/a.md'] };
  const next = 'Compare both versions.';
  const problem = { kind: 'not_equal', path: '/a.md', cause: 'They differ.', next, retryAt: null };
  await page.route('**/v1/agent/status', async (route) => {
    const response = await route.fetch();
    const status = await response.json();
    for (const mirror of status.mirrors) {
      mirror.proof = { state: 'not-equal', last: null, beforeRestart: null, alarm, rehashedAt: null };
      mirror.problemList = [problem];
      mirror.problems = 1;
    }
    await route.fulfill({ response, json: status });
  });
  await signIn();
  const meter = page.getByRole('region', { name: 'Mirrors' });
  await expect(meter).toContainText('1 of 1 not equal');
  await expect(meter.getByRole('article')).toContainText('Not equalsince');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^1 folder not equal/);
  await expect(page.getByRole('article', { name: 'notes: Not equal' })).toContainText('They differ.');
  await page.getByRole('button', { name: 'Compare in notes' }).click();
  await expect(page.getByRole('article', { name: 'notes: Not equal' })).toBeFocused();
  await look(page, 'overview-proof-alarm');
  // The page goes on asking while its agent is taken away.
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

test('changes that the database of a hub lost are an alarm in the status bar, with the way to what to do', async ({
  page,
  agent,
  signIn,
}) => {
  await page.route(`${agent.url}/v1/agent/status`, async (route) => {
    const response = await route.fetch();
    const at = new Date().toISOString();
    const lostTails = [{ at, lastEvent: 'evt_12', seenEvent: 'evt_19' }];
    await route.fulfill({ response, json: { ...(await response.json()), lostTails } });
  });
  await signIn();
  const bar = page.getByRole('contentinfo');
  await expect(bar).toContainText('The database lost changes');
  await lookAtState(page, 'lost-changes');
  await bar.getByRole('link', { name: 'What to do' }).click();
  await expect(page.getByRole('heading', { name: 'Diagnostics' })).toBeVisible();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

test('P pauses and resumes the mirror that has the focus', async ({ page, agent, signIn }) => {
  await agent.mirror('notes');
  await signIn();
  // The keys act on cards, and these come with the first status.
  const card = page.getByRole('article', { name: 'notes: Up to date' });
  await expect(card).toBeVisible();
  await page.keyboard.press('1');
  await expect(card).toBeFocused();
  await page.keyboard.press('p');
  await expect(page.getByRole('article', { name: 'notes: Paused' })).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Mirror paused');
  await page.keyboard.press('p');
  await expect(page.getByRole('article', { name: 'notes: Up to date' })).toBeVisible();
});

test('while the agent is gone the last state stays and says so; when it is back the page heals by itself', async ({
  page,
  agent,
  signIn,
}) => {
  const { dir } = await agent.mirror('notes');
  await signIn();
  await expect(page.getByRole('contentinfo')).toContainText('Live');
  await agent.kill();
  await expect(page.getByText('Agent not responding.').first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Retry now' })).toBeVisible();
  await expect(page.getByRole('article', { name: /^notes/ })).toBeVisible();
  const pause = page.getByRole('button', { name: 'Pause', exact: true });
  await expect(pause).toHaveAttribute('aria-disabled', 'true');
  await expect(pause).toHaveAttribute('title', 'Agent not responding.');
  await agent.start();
  await expect(page.getByRole('button', { name: 'Retry now' })).toBeHidden({ timeout: 30_000 });
  await expect(page.getByRole('contentinfo')).toContainText('Live', { timeout: 30_000 });
  appendFileSync(path.join(dir, 'after.md'), 'saved\n');
  await expect(page.getByRole('region', { name: 'Recent activity' })).toContainText('after.md');
});

test('failures of another workspace are in the headline, at their direction and in the navigation, and link there', async ({
  page,
  agent,
  signIn,
}) => {
  await agent.mirror('first');
  const { workspaceId } = await agent.client.workspaces.create({ name: 'second' });
  await agent.client.sync.ingestWebhook(workspaceId, {
    provider: 'slack',
    event_type: 'file.updated',
    path: '/slack/../secret.md',
    data: { content: 'x' },
  });
  await signIn();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('1 dead letter');
  await look(page, 'overview-dead-letter');
  const there = async (): Promise<void> => {
    await expect(page).toHaveURL(new RegExp(`#dead-letters(/env_[^?]+)?\\?workspace=${workspaceId}`));
    await expect(page.getByRole('heading', { level: 1, name: 'Dead letters' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Replay 1…' })).toBeVisible();
  };
  const backToAll = async (): Promise<void> => {
    // As who has been at the other one last.
    await page.evaluate(() => localStorage.removeItem('mooring.workspace'));
    await page.goto(`${agent.url}/#overview`);
    await expect(page.getByRole('link', { name: /^Dead letters.*1.*open/ })).toBeVisible();
  };
  await page.getByRole('link', { name: '1 dead letter' }).click();
  await there();
  await backToAll();
  await page.getByRole('link', { name: /^Dead letters.*1.*open/ }).click();
  await there();
  await backToAll();
  await goByKeys(page, 'd', 'dead-letters');
  await there();
});

test('the data flow has each provider with its state and cause; a sender of webhooks is no provider in error', async ({
  page,
  agent,
  signIn,
}) => {
  const { client } = agent;
  const { workspaceId } = await agent.mirror('notes');
  await client.providers.add(workspaceId, { provider: 'notion', kind: 'external' });
  await client.providers.add(workspaceId, { provider: 'linear', kind: 'external' });
  for (const provider of ['notion', 'slack']) {
    const event = { provider, event_type: 'file.updated', path: `/${provider}/../secret.md` };
    await client.sync.ingestWebhook(workspaceId, { ...event, data: { content: 'x' } });
  }
  await expect.poll(async () => (await client.sync.deadLetters.list(workspaceId)).items.length).toBe(2);
  await client.writeFile(workspaceId, '/notion/a.md', 'a\n');
  const cause = '1 inbound event is a dead letter.';
  expect((await client.providers.list(workspaceId)).map(({ state, cause: why }) => [state, why])).toEqual([
    ['healthy', undefined],
    ['error', cause],
  ]);
  await signIn();
  const flow = page.getByRole('region', { name: 'Data flow' });
  const line = (name: string) => flow.getByRole('listitem').filter({ hasText: name });
  await expect(line('notion')).toContainText('Error');
  await expect(line('notion')).toContainText(cause);
  await expect(line('linear')).toContainText('Healthy');
  await expect(line('slack')).toContainText('Inbound');
  await expect(line('slack')).toContainText(cause);
  await expect(line('slack')).not.toContainText('Error');
  await look(page, 'overview-sender');
});

test('a page signs in while its code is loaded, and asks for failures before it shows the first status', async ({
  page,
  agent,
  signIn,
}) => {
  await agent.client.workspaces.create({ name: 'notes' });
  await signIn();
  await page.goto('about:blank');
  const app = Promise.withResolvers<void>();
  await page.route('**/assets/first-*.js', async (route) => {
    await app.promise;
    await route.continue();
  });
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.goto(`${agent.url}/#overview`, { waitUntil: 'commit' });
  await expect.poll(() => asked).toContain('/v1/agent/sign-in/refresh');
  expect(asked).not.toContain('/v1/agent/status');
  app.resolve();
  await expect(page.getByRole('region', { name: 'Needs you' })).toBeVisible();
  // The navigation asks for runs when it is first rendered.
  const runs = () => asked.findIndex((address) => address.endsWith('/runs'));
  await expect.poll(runs).toBeGreaterThan(0);
  const failures = asked.indexOf('/v1/admin/ingress');
  expect(failures).toBeGreaterThan(asked.indexOf('/v1/agent/status'));
  expect(failures).toBeLessThan(runs());
});
