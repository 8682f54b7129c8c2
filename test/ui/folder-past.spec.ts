// A folder as of a moment: looked at before, brought back, taken back; what lies beside it stays.
import { expect, test } from './fixtures.ts';
import { look } from './look.ts';

test('a folder is brought back as of a moment that was looked at, and Control Z takes that back', async ({
  page,
  agent,
  signIn,
}) => {
  const { client } = agent;
  const { workspaceId } = await client.workspaces.create({ name: 'papers' });
  await client.writeFile(workspaceId, '/beside.md', 'beside\n');
  await client.writeFile(workspaceId, '/docs/a.md', 'before\n');
  await client.bulkWrite(workspaceId, [
    { path: '/docs/a.md', content: 'after\n' },
    { path: '/docs/b.md', content: 'new\n' },
  ]);
  await client.writeFile(workspaceId, '/beside.md', 'beside, changed\n');
  const read = async (file: string): Promise<string | null> => {
    const { entries } = await client.listTree(workspaceId, { path: '/docs' });
    return entries.some(({ path }) => path === file)
      ? ((await client.readFile(workspaceId, file)).content ?? null)
      : null;
  };
  await signIn();
  await page.goto(`${agent.url}/#files/docs/?workspace=${workspaceId}`);
  await expect(page.getByRole('grid', { name: 'Files in /docs' })).toContainText('b.md');
  await page.getByRole('button', { name: 'As of…' }).click();
  const dialog = page.getByRole('dialog', { name: '/docs as of…' });
  await expect(dialog.getByRole('button', { name: 'Restore' })).toHaveAttribute('aria-disabled', 'true');
  await dialog.getByRole('button', { name: 'Before owner changed 2 files' }).click();
  await expect(dialog).toContainText('1 changed back, 0 brought back, 1 deleted.');
  await look(page, 'files-as-of');
  await dialog.getByRole('button', { name: 'Restore 2 files' }).click();
  const list = page.getByRole('region', { name: 'Files', exact: true });
  await expect(list.getByText('2 files of /docs as of')).toBeVisible();
  expect([await read('/docs/a.md'), await read('/docs/b.md')]).toEqual(['before\n', null]);
  expect((await client.readFile(workspaceId, '/beside.md')).content).toBe('beside, changed\n');
  await page.keyboard.press('Control+z');
  await expect(list.getByText('The restore is taken back.')).toBeVisible();
  expect([await read('/docs/a.md'), await read('/docs/b.md')]).toEqual(['after\n', 'new\n']);
});

test('a moment that is to come is refused at the field; one at which all was the same says so', async ({
  page,
  agent,
  signIn,
}) => {
  const { workspaceId } = await agent.client.workspaces.create({ name: 'papers' });
  await agent.client.writeFile(workspaceId, '/docs/a.md', 'a\n');
  await signIn();
  await page.goto(`${agent.url}/#files/docs/?workspace=${workspaceId}`);
  await page.getByRole('button', { name: 'As of…' }).click();
  const dialog = page.getByRole('dialog', { name: '/docs as of…' });
  await dialog.getByLabel('Moment').fill('2999-01-01T00:00:00');
  await expect(dialog.getByText('A date and a time that are past.')).toBeVisible();
  const now = await page.evaluate(() => {
    const at = new Date();
    return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 23);
  });
  await dialog.getByLabel('Moment').fill(now);
  await expect(dialog.getByText('Everything here is as it was then.')).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Restore' })).toHaveAttribute(
    'title',
    'Nothing was different then.',
  );
});
