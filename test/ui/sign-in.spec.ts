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

test('a link works once; the page says so and how to get in', async ({ page, agent, context }) => {
  const link = await agent.client.agent.signIn.link();
  await page.goto(link.url);
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
  const second = await context.newPage();
  await second.goto(link.url);
  await expect(second.getByRole('heading', { level: 1 })).toHaveText('Sign-in link no longer valid');
  await expect(second.getByText('mooring open', { exact: true })).toBeVisible();
  await expectAccessible(second);
});

test('a page without a token shows no file and says how to get in', async ({ page, agent }) => {
  await page.goto(`${agent.url}/#files/secret.md`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Open Mooring from your terminal');
  await expect(page.getByRole('navigation')).toHaveCount(0);
  await look(page, 'sign-in');
});

test('a token that the agent no longer takes ends in the way to get in', async ({ page, signIn }) => {
  await signIn();
  await page.evaluate(() => {
    const stored = JSON.parse(sessionStorage.getItem('mooring.session') ?? '{}');
    sessionStorage.setItem('mooring.session', JSON.stringify({ ...stored, token: 'not-a-token' }));
  });
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Signed out');
});
