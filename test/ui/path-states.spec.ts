// Where each file stands in its mirrors: beside its name in the list, in its detail, and live.
import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { dataRows } from './data-rows.ts';
import { expect, test } from './fixtures.ts';
import { look } from './look.ts';

test('each row says whether its file is the same, refused, ignored or in conflict, and follows that', async ({
  page,
  agent,
  signIn,
}) => {
  const dir = agent.folder('notes');
  writeFileSync(path.join(dir, '.mooringignore'), '*.log\n');
  writeFileSync(path.join(dir, 'both.md'), 'base\n');
  writeFileSync(path.join(dir, 'plain.md'), 'plain\n');
  const { workspaceId } = await agent.mirror('notes', dir);
  const { client } = agent;
  const [mirror] = await client.mirrors.list(workspaceId);
  const mirrorId = mirror?.mirrorId ?? '';
  await client.writeFile(workspaceId, '/docs/deep.log', 'ignored\n');
  await client.writeFile(workspaceId, '/trace.log', 'ignored\n');
  await client.mirrors.pause(workspaceId, mirrorId);
  writeFileSync(path.join(dir, 'both.md'), 'of the folder\n');
  await client.writeFile(workspaceId, '/both.md', 'of the workspace\n');
  await signIn();
  await page.goto(`${agent.url}/#files/`);
  const row = (name: string) => page.getByRole('row').filter({ hasText: name });
  await expect(row('plain.md').getByText('Paused')).toBeVisible();
  await client.mirrors.resume(workspaceId, mirrorId);
  await agent.settle();
  await expect(row('plain.md').getByText('Up to date')).toBeVisible();
  await expect(row('both.md').first().getByText('Conflict')).toBeVisible();
  await expect(row('trace.log').getByText('Ignored')).toBeVisible();
  await expect(row('docs').getByText('Up to date')).toBeVisible();
  // A link takes the place of a file: it cannot be carried.
  await client.writeFile(workspaceId, '/linked.md', 'a\n');
  await agent.settle();
  await expect(row('linked.md').getByText('Up to date')).toBeVisible();
  const linked = path.join(dir, 'linked.md');
  writeFileSync(`${linked}.target.log`, 'elsewhere\n');
  rmSync(linked);
  symlinkSync('linked.md.target.log', linked);
  await expect(row('linked.md').getByText('Not synced')).toBeVisible();
  await expect(row('linked.md').getByTitle('Links are not followed and not synced.')).toBeVisible();
  await row('linked.md').click();
  await page.keyboard.press('i');
  const details = page.getByRole('region', { name: 'Details' });
  await expect(details).toContainText('Links are not followed and not synced.');
  await expect(details).toContainText(dir);
  await look(page, 'files-states');
});

test('of several folders the worst counts, and the detail names each', async ({ page, agent, signIn }) => {
  const { workspaceId, dir } = await agent.mirror('shared');
  const other = agent.folder('other');
  await agent.client.mirrors.add(workspaceId, other);
  await agent.client.writeFile(workspaceId, '/a.md', 'a\n');
  await agent.settle();
  await signIn();
  await page.goto(`${agent.url}/#files/a.md?workspace=${workspaceId}&view=details`);
  const row = page.getByRole('row').filter({ hasText: 'a.md' });
  await expect(row.getByText('Up to date')).toBeVisible();
  const details = page.getByRole('region', { name: 'Details' });
  await expect(details).toContainText(dir);
  await expect(details).toContainText(other);
  const second = (await agent.client.mirrors.list(workspaceId)).find((each) => each.dir === other);
  await agent.client.mirrors.pause(workspaceId, second?.mirrorId ?? '');
  await expect(row.getByText('Paused')).toBeVisible();
  await expect(details.getByText('Up to date')).toBeVisible();
});

test('of a workspace without a folder no states are asked', async ({ page, agent, signIn }) => {
  const { workspaceId } = await agent.client.workspaces.create({ name: 'alone' });
  await agent.client.writeFile(workspaceId, '/a.md', 'a\n');
  await signIn();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.goto(`${agent.url}/#files/?workspace=${workspaceId}`);
  await expect(page.getByRole('grid', { name: 'Files in /' })).toHaveAttribute('aria-colcount', '3');
  expect(asked.filter((each) => each.endsWith('/path-states'))).toEqual([]);
});

test('at rest nothing is asked again; scrolling asks for what comes into sight, once it is there', async ({
  page,
  agent,
  signIn,
}) => {
  const { workspaceId } = await agent.mirror('many');
  const files = Array.from({ length: 400 }, (_, n) => ({
    path: `/f${String(n).padStart(4, '0')}.md`,
    content: 'x\n',
  }));
  await agent.client.bulkWrite(workspaceId, files);
  await agent.settle();
  await signIn();
  const sizes: number[] = [];
  page.on('request', (request) => {
    if (!request.url().endsWith('/path-states')) return;
    sizes.push((request.postDataJSON() as { paths: unknown[] }).paths.length);
  });
  await page.goto(`${agent.url}/#files/?workspace=${workspaceId}`);
  const row = (n: number) => page.getByRole('row').filter({ hasText: `f${String(n).padStart(4, '0')}.md` });
  await expect(row(0).getByText('Up to date')).toBeVisible();
  await dataRows(page.getByRole('grid', { name: 'Files in /' }))
    .first()
    .click();
  await page.keyboard.press('End');
  await expect(row(399).getByText('Up to date')).toBeVisible();
  expect(Math.max(...sizes)).toBeLessThan(100);
  // What is still under way ends; from then on status readings pass by and nothing is asked.
  await expect
    .poll(
      async () => {
        const before = sizes.length;
        await page.waitForResponse((response) => response.url().endsWith('/v1/agent/status'));
        return sizes.length - before;
      },
      { timeout: 30_000 },
    )
    .toBe(0);
});
