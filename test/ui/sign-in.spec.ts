import { expect, test } from './fixtures.ts';
import { expectAccessible, look } from './look.ts';

test('the link signs in, leaves the address bar and sets no cookie', async ({ page, agent, context }) => {
  const link = await agent.client.agent.signIn.link();
  await page.goto(link.url);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Pick a folder');
  expect(page.url()).not.toContain('sign-in=');
  expect(await context.cookies()).toEqual([]);
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Pick a folder');
});

test('a link works once; the page says so and how to get in', async ({ page, agent, browser }) => {
  const link = await agent.client.agent.signIn.link();
  await page.goto(link.url);
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
  const elsewhere = await browser.newContext();
  const second = await elsewhere.newPage();
  await second.goto(link.url);
  await expect(second.getByRole('heading', { level: 1 })).toHaveText('Sign-in link no longer valid');
  await expect(second.getByText('mooring open', { exact: true })).toBeVisible();
  await expectAccessible(second);
  await elsewhere.close();
});

test('a page without a token shows no file and says how to get in', async ({ page, agent }) => {
  await page.goto(`${agent.url}/#files/secret.md`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Open Mooring from your terminal');
  await expect(page.getByRole('navigation')).toHaveCount(0);
  await look(page, 'sign-in');
});

test('a session that the agent does not know any more ends in the way to get in', async ({
  page,
  agent,
  signIn,
}) => {
  await signIn();
  const [session] = await agent.client.agent.signIn.sessions();
  await agent.client.agent.signIn.endSession(session?.sessionId ?? '');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Signed out');
});
