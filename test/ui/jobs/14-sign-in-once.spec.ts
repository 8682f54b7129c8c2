// Job 14: the session of a browser over tabs, deep links, restarts of the agent and a sign-out, with the mouse and the keyboard.
import type { Page } from '@playwright/test';
import { ownAgent, test } from '../fixtures.ts';
import { expectAccessible, look } from '../look.ts';
import { expect, jobTest, overviewSeen, seen } from './job-test.ts';

const navigation = (page: Page) => page.getByRole('navigation', { name: 'Main' });
const title = (page: Page) => page.getByRole('heading', { level: 1 });

jobTest('14. Sign in once', async ({ page, filled, context, browser, timed }) => {
  const { agent, product } = filled;
  const signIns = agent.client.agent.signIn;
  const before = (await signIns.sessions()).length;
  const link = await signIns.link();
  await timed('open the link: until signed in', 1_000, async () => {
    await page.goto(link.url);
    await expect(navigation(page)).toBeVisible();
  });
  expect(page.url()).not.toContain('sign-in=');
  expect(await context.cookies()).toEqual([]);
  await overviewSeen(page);

  const deep = await context.newPage();
  const readme = deep.getByRole('region', { name: 'Content of README.md' });
  await timed('a deep link in a new tab: until the file is shown', 1_000, async () => {
    await deep.goto(`${agent.url}/#files/README.md?workspace=${product.workspaceId}`);
    await seen(readme.getByText('Harbour').first());
  });
  expect(deep.url()).toContain('#files/README.md');
  // The used link of before is a bookmark like any other; in another browser it says how to get in.
  const bookmark = await context.newPage();
  await bookmark.goto(link.url);
  await expect(navigation(bookmark)).toBeVisible();
  const elsewhere = await browser.newContext();
  const second = await elsewhere.newPage();
  await second.goto(link.url);
  await expect(title(second)).toHaveText('Sign-in link no longer valid');
  await expect(second.getByText('mooring open', { exact: true })).toBeVisible();
  await expectAccessible(second);
  await elsewhere.close();

  await agent.kill();
  await agent.start();
  await timed('reload after a restart of the agent: until the file is shown', 2_000, async () => {
    await deep.reload();
    await seen(readme.getByText('Harbour').first());
  });
  await expect(navigation(page)).toBeVisible();
  const after = await context.newPage();
  await after.goto(agent.url);
  await expect(navigation(after)).toBeVisible();
  expect(await signIns.sessions()).toHaveLength(before + 1);
});

test('nothing of the profile signs another browser in: no token is stored, and the key cannot be read', async ({
  page,
  agent,
  signIn,
  browser,
}) => {
  await signIn();
  const stored = await page.evaluate(async () => {
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open('mooring.sign-in');
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
    const record = await new Promise<{ keys: CryptoKeyPair; sessionId: string }>((resolve) => {
      const request = database.transaction('key').objectStore('key').get('current');
      request.onsuccess = () => resolve(request.result);
    });
    const exported = await crypto.subtle.exportKey('jwk', record.keys.privateKey).then(
      () => 'exported',
      (error: Error) => error.name,
    );
    return { storage: { ...sessionStorage, ...localStorage }, exported, sessionId: record.sessionId };
  });
  expect(stored.exported).toBe('InvalidAccessError');
  expect(JSON.stringify(stored.storage)).not.toContain('eyJ');
  // A copy of what can be read: the id of the session, in another profile.
  const thief = await browser.newContext();
  const page2 = await thief.newPage();
  await page2.goto(agent.url);
  await page2.evaluate(async (sessionId) => {
    const keys = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, [
      'sign',
      'verify',
    ]);
    const database = await new Promise<IDBDatabase>((resolve) => {
      const request = indexedDB.open('mooring.sign-in', 1);
      request.onupgradeneeded = () => request.result.createObjectStore('key');
      request.onsuccess = () => resolve(request.result);
    });
    await new Promise((resolve) => {
      const write = database.transaction('key', 'readwrite');
      write.objectStore('key').put({ keys, sessionId }, 'current');
      write.oncomplete = resolve;
    });
    database.close();
  }, stored.sessionId);
  await page2.reload();
  await expect(title(page2)).toHaveText('Signed out');
  await thief.close();
});

test('a link that is pasted into an open tab signs it in, in place, and the other tabs with it', async ({
  page,
  agent,
  context,
}) => {
  await page.goto(`${agent.url}/#settings/browsers`);
  await expect(title(page)).toHaveText('Open Mooring from your terminal');
  await expect(page.getByRole('navigation')).toHaveCount(0);
  await look(page, 'sign-in');
  const other = await context.newPage();
  await other.goto(`${agent.url}/#activity`);
  await expect(title(other)).toHaveText('Open Mooring from your terminal');
  const { url } = await agent.client.agent.signIn.link();
  // The same document: only the fragment differs, as when a link is pasted into the address bar.
  await page.goto(url);
  await expect(page.getByRole('heading', { name: 'Signed-in browsers' })).toBeVisible();
  expect(page.url()).toBe(`${agent.url}/#settings/browsers`);
  await expect(navigation(other)).toBeVisible();
  expect(other.url()).toContain('#activity');
  // Again, while signed in: the page stays where it is, and the session is the same.
  await page.goto((await agent.client.agent.signIn.link()).url);
  await expect(page.getByRole('row', { name: /this browser/ })).toHaveCount(1);
  expect(page.url()).toBe(`${agent.url}/#settings/browsers`);
});

test(
  'the signed-in browsers are listed, and one is signed out from another',
  ownAgent,
  async ({ page, agent, signIn, browser }) => {
    await agent.mirror('notes');
    await signIn();
    const away = await browser.newContext();
    const lost = await away.newPage();
    await lost.goto((await agent.client.agent.signIn.link()).url);
    await expect(navigation(lost)).toBeVisible();
    await page.goto(`${agent.url}/#settings/browsers`);
    await expect(page.getByText('2 signed in')).toBeVisible();
    await look(page, 'settings-browsers');
    await expectAccessible(page);
    await page
      .getByRole('row')
      .filter({ hasText: 'Chrome' })
      .filter({ hasNotText: 'this browser' })
      .getByRole('button', { name: /Sign out/ })
      .click();
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
    await expect(page.getByText('1 signed in')).toBeVisible();
    await expect(title(lost)).toHaveText('Signed out');
    await lost.reload();
    await expect(navigation(lost)).toHaveCount(0);
    await expect(navigation(page)).toBeVisible();
    await away.close();
  },
);

test('a sign-out is by the keyboard, in all tabs, and the token of before is refused', async ({
  page,
  agent,
  signIn,
  context,
}) => {
  let bearer = '';
  page.on('request', (request) => {
    bearer = request.headers().authorization ?? bearer;
  });
  await signIn();
  await page.goto(`${agent.url}/#settings/browsers`);
  const other = await context.newPage();
  await other.goto(`${agent.url}/#activity`);
  await expect(navigation(other)).toBeVisible();
  await page
    .getByRole('button', { name: /Sign out…/ })
    .first()
    .focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Sign out of this browser?' })).toBeVisible();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(title(page)).toHaveText('Signed out');
  await expect(title(other)).toHaveText('Signed out');
  const answer = await page.request.get(`${agent.url}/v1/agent/status`, {
    headers: { authorization: bearer, 'x-correlation-id': 'test' },
  });
  expect([answer.status(), (await answer.json()).message]).toEqual([401, 'signed out']);
  await page.reload();
  await expect(title(page)).toHaveText('Open Mooring from your terminal');
});
