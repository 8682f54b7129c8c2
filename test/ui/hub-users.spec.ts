// Users of a hub in the browser: an owner invites, a member signs in with the link and works within the role, on a real PostgreSQL.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type BrowserContext, type Page, test } from '@playwright/test';
import { noPostgres } from '../../build/postgres.ts';
import { MooringClient } from '../../sdk/index.ts';
import { AgentProcess, mooring } from '../support/agent.ts';
import { hubDatabase } from '../support/hub-database.ts';
import { clientSecret, freePort, OpenIdProvider, openIdArguments } from '../support/openid-provider.ts';
import { PostgresServer } from '../support/postgres-server.ts';
import { expect } from './fixtures.ts';
import { look, lookAtState } from './look.ts';

test.skip(noPostgres !== null, noPostgres ?? '');

/** A step that hangs names itself. */
const actionMsMax = 20_000;
const navigation = (page: Page) => page.getByRole('navigation', { name: 'Main' });
const titles = async (page: Page) =>
  (await navigation(page).getByRole('link').allInnerTexts()).map((text) => text.trim());

/** What the hub refused to the page: a screen asks for nothing that the viewer may not have. */
function refusals(page: Page): string[] {
  const refused: string[] = [];
  page.on('response', (response) => {
    if (response.status() >= 400)
      refused.push(`${response.status()} ${response.request().method()} ${response.url()}`);
  });
  page.on('pageerror', (error) => refused.push(error.message));
  return refused;
}

/** Holds every status that the page asks for, until the returned function is called. */
async function heldStatus(page: Page): Promise<() => Promise<void>> {
  const answered = Promise.withResolvers<void>();
  const url = '**/v1/agent/status';
  await page.route(url, async (route) => {
    await answered.promise;
    await route.fallback();
  });
  return async () => {
    answered.resolve();
    await page.unroute(url);
  };
}

async function newPage(context: BrowserContext, size: 'wide' | 'small' = 'wide'): Promise<Page> {
  const page = await context.newPage();
  page.setDefaultTimeout(actionMsMax);
  if (size === 'small') await page.setViewportSize({ width: 760, height: 560 });
  return page;
}

test('an owner invites by link; a member signs in, works within the role, and is named in history', async ({
  browser,
}) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'mooring-ui-hub-'));
  const postgres = process.env.MOORING_TEST_DATABASE === undefined ? await PostgresServer.start() : null;
  if (postgres !== null) process.env.MOORING_TEST_DATABASE = postgres.url;
  const keyFile = path.join(folder, 'master.key');
  const args = ['--database', await hubDatabase(folder), '--master-key-file', keyFile];
  const listen = `127.0.0.1:${await freePort()}`;
  const provider = await OpenIdProvider.start(`http://${listen}/`);
  const secretFile = path.join(folder, 'client.secret');
  writeFileSync(secretFile, clientSecret, { mode: 0o600 });
  const openId = openIdArguments(provider, `http://${listen}`, secretFile);
  const hub = new AgentProcess(path.join(folder, 'data'), { args: [...args, ...openId] });
  try {
    const init = await mooring(['hub', 'init', ...args, '--owner', 'olga', '--json']);
    expect([init.code, init.stderr]).toEqual([0, '']);
    await hub.start(listen);
    const olgasSecret = new URL(JSON.parse(init.stdout).url).hash;
    const client = new MooringClient({ baseUrl: hub.url, token: hub.ownerToken });
    const { workspaceId } = await client.workspaces.create({ name: 'team' });
    const hidden = await client.workspaces.create({ name: 'board' });
    await client.writeFile(workspaceId, '/plan.md', '# Plan\n');
    await client.writeFile(hidden.workspaceId, '/secret.md', 'x');

    const owner = await newPage(await browser.newContext());
    const refusedToOwner = refusals(owner);
    await owner.goto(`${hub.url}/${olgasSecret}`);
    await expect(navigation(owner)).toBeVisible();
    expect(owner.url()).not.toContain('invite');
    await expect
      .poll(() => titles(owner))
      .toEqual([
        'Overview',
        'Files',
        'Search',
        'Runs',
        'Activity',
        'Dead letters',
        'Writeback',
        'Operations',
        'Logs',
        'Docs',
        'Settings',
      ]);
    await expect(owner.getByRole('heading', { name: '2 workspaces' })).toBeVisible();
    await look(owner, 'hub-overview-owner');
    // Before the first answer, too: what was there at the last visit, and at the first one of a session nothing that a hub does not have.
    const offered = await titles(owner);
    const answer = await heldStatus(owner);
    await owner.reload();
    await expect.poll(() => titles(owner)).toEqual(offered);
    await owner.evaluate(() => localStorage.removeItem('mooring.offer'));
    await owner.reload();
    await expect(navigation(owner).getByRole('button', { name: 'Workspace: ' })).toBeVisible();
    expect(await titles(owner)).toEqual([]);
    await answer();
    await expect.poll(() => titles(owner)).toEqual(offered);
    await owner.getByRole('link', { name: 'Users of team' }).click();
    await owner.getByRole('button', { name: 'Add user…' }).click();
    await owner.getByLabel('Name').fill('anna');
    await owner.getByLabel('Email address').fill('anna@example.com');
    await lookAtState(owner, 'hub-users-add');
    await owner.getByRole('button', { name: 'Add user', exact: true }).click();
    const shown = owner.getByRole('dialog', { name: 'Invite link for anna' });
    const link = await shown.getByText(/^http:\S+#invite=\S+$/).innerText();
    await lookAtState(owner, 'hub-users-link');
    await shown.getByRole('button', { name: 'I have copied it' }).click();
    await expect(owner.getByRole('row', { name: /anna.*editor.*Invited/ })).toBeVisible();

    const annas = await browser.newContext();
    const anna = await newPage(annas, 'small');
    const refusedToAnna = refusals(anna);
    await anna.goto(link);
    await expect(anna.getByRole('heading', { name: '1 workspace' })).toBeVisible();
    expect(anna.url()).not.toContain('invite');
    expect(await annas.cookies()).toEqual([]);
    await expect
      .poll(() => titles(anna))
      .toEqual([
        'Overview',
        'Files',
        'Search',
        'Runs',
        'Activity',
        'Dead letters',
        'Operations',
        'Docs',
        'Settings',
      ]);
    await expect(anna.getByText('board')).toHaveCount(0);
    await lookAtState(anna, 'hub-overview-member');
    for (const section of ['account', 'workspaces', 'users', 'browsers', 'api', 'app']) {
      await anna.goto(`${hub.url}/#settings/${section}`);
      await expect(anna.locator('.settings-page h1')).toBeVisible();
      if (section === 'account' || section === 'users') await lookAtState(anna, `hub-${section}-member`);
    }
    for (const screen of ['files', 'search', 'runs', 'dead-letters', 'operations', 'logs', 'conflicts']) {
      await anna.goto(`${hub.url}/#${screen}`);
      await expect(anna.getByRole('heading', { level: 1 })).toBeAttached();
    }
    await expect(anna.getByRole('heading', { name: 'Not available here' })).toBeVisible();

    // A personal token, and changes by it and by the page: both are hers.
    await anna.goto(`${hub.url}/#settings/tokens`);
    await anna.getByRole('button', { name: 'Create token…' }).click();
    await anna.getByLabel('Name').fill('laptop');
    await anna.getByRole('button', { name: 'Custom…' }).click();
    await expect(anna.getByText('admin:read')).toHaveCount(0);
    await anna.getByRole('button', { name: 'Create token', exact: true }).click();
    const created = anna.getByRole('dialog', { name: 'Token for laptop' });
    const token = await created.locator('code').first().innerText();
    await created.getByRole('button', { name: 'I have copied it' }).click();
    const laptop = new MooringClient({ baseUrl: hub.url, token, retry: { retries: 0 } });
    await laptop.writeFile(workspaceId, '/plan.md', '# Plan of Anna\n', { ifMatch: '*' });
    await anna.goto(`${hub.url}/#files/plan.md?workspace=${workspaceId}&view=history`);
    await expect(anna.getByRole('button', { name: /anna \(laptop\) Changed through the API/ })).toBeVisible();
    await anna.keyboard.press('h');
    await anna.getByRole('button', { name: 'Edit' }).click();
    await anna.getByRole('textbox', { name: 'Text of plan.md' }).fill('# Plan of the page\n');
    await anna.keyboard.press('Control+s');
    await expect(anna.getByText(/Saved/).first()).toBeVisible();
    await anna.goto(`${hub.url}/#activity?workspace=${workspaceId}`);
    await expect(anna.getByText('anna (laptop)').first()).toBeVisible();
    await expect(anna.getByText('anna', { exact: true }).first()).toBeVisible();
    await lookAtState(anna, 'hub-activity-member');
    expect(refusedToAnna).toEqual([]);

    // The role decides on the open page and on the token.
    await owner.getByRole('button', { name: 'More for anna' }).click();
    await owner.getByRole('menuitem', { name: 'Make a reader…' }).click();
    await owner.getByRole('button', { name: 'Make reader' }).click();
    await expect(owner.getByRole('row', { name: /anna.*reader.*Active/ })).toBeVisible();
    await lookAtState(owner, 'hub-users');
    await anna.goto(`${hub.url}/#files/plan.md?workspace=${workspaceId}`);
    const edit = anna.getByRole('button', { name: 'Edit' });
    await expect(edit).toBeDisabled();
    await expect(edit).toHaveAttribute('title', /Your role in this workspace is reader/);
    await expect(laptop.writeFile(workspaceId, '/plan.md', 'x', { ifMatch: '*' })).rejects.toMatchObject({
      status: 403,
    });
    await anna.goto(`${hub.url}/#settings/tokens`);
    await anna.getByRole('button', { name: /^Revoke/ }).click();
    await anna.getByRole('button', { name: 'Revoke', exact: true }).click();
    await expect(anna.getByText('No active tokens.')).toBeVisible();
    await expect(laptop.readFile(workspaceId, '/plan.md')).rejects.toMatchObject({ status: 401 });
    expect(refusedToAnna).toEqual([]);

    // The used link is a bookmark for her, and nothing for others.
    const bookmark = await newPage(annas);
    await bookmark.goto(link);
    await expect(navigation(bookmark)).toBeVisible();
    const stranger = await newPage(await browser.newContext());
    await stranger.goto(link);
    await expect(stranger.getByRole('heading', { name: 'Invite link no longer valid' })).toBeVisible();
    await lookAtState(stranger, 'hub-invite-used');

    // A link of another user does not take the place of who is signed in without a question.
    const ben = await client.users.add(workspaceId, { name: 'ben', role: 'owner' });
    const bens = (await client.users.invite(ben.userId)).url;
    await bookmark.goto('about:blank');
    await bookmark.goto(bens);
    await expect(bookmark.getByRole('heading', { name: 'Sign in as ben?' })).toBeVisible();
    await lookAtState(bookmark, 'hub-invite-asking');
    await bookmark.getByRole('button', { name: 'Stay anna' }).click();
    await expect(bookmark.getByRole('link', { name: 'anna', exact: true })).toBeVisible();
    await bookmark.goto('about:blank');
    await bookmark.goto(bens);
    await bookmark.getByRole('button', { name: 'Sign in as ben' }).click();
    await expect(bookmark.getByRole('link', { name: 'ben', exact: true })).toBeVisible();
    // Her other tab is his as well: one browser has one session.
    await expect(anna.getByRole('link', { name: 'ben', exact: true })).toBeVisible();
    await client.users.setDisabled(ben.userId, true);
    await expect(bookmark.getByRole('heading', { name: 'Signed out' })).toBeVisible();
    expect(refusedToOwner).toEqual([]);

    // At the provider: back where the page was, without a word of the answer in the address.
    await client.users.add(workspaceId, { name: 'dora', email: 'dora@example.com', role: 'reader' });
    const doras = await newPage(await browser.newContext());
    await doras.goto(`${hub.url}/#files/plan.md?workspace=${workspaceId}`);
    await expect(doras.getByRole('heading', { name: 'Sign in to this hub' })).toBeVisible();
    await lookAtState(doras, 'hub-sign-in-provider');
    const atProvider = doras.getByRole('button', { name: `Sign in with ${new URL(provider.issuer).host}` });
    provider.person = { sub: 'sub-stranger', email: 'stranger@example.com', emailVerified: true };
    await atProvider.click();
    await expect(doras.getByText(/No user of this hub has the address stranger@example\.com/)).toBeVisible();
    await lookAtState(doras, 'hub-sign-in-refused');
    provider.person = { sub: 'sub-dora', email: 'dora@example.com', emailVerified: true };
    await atProvider.click();
    await expect(doras.getByText('plan.md').first()).toBeVisible();
    expect(doras.url()).toBe(`${hub.url}/#files/plan.md?workspace=${workspaceId}`);
    await expect(doras.getByRole('link', { name: 'dora', exact: true })).toBeVisible();
    // An answer that another page sends to a browser signs nobody in.
    const forged = await newPage(await browser.newContext());
    await forged.goto(`${hub.url}/?code=a&state=b`);
    await expect(forged.getByText('This sign-in did not begin in this tab. Begin again.')).toBeVisible();
    expect(forged.url()).toBe(`${hub.url}/`);
  } finally {
    await hub.kill9();
    await provider.stop();
    await postgres?.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
