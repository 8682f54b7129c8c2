// Thousands of problems of one cause are one block on the mirror's card, and its paths can be listed.
import { mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from './fixtures.ts';
import { look } from './look.ts';

test('many problems of one cause are one block that lists its paths', async ({ page, agent, signIn }) => {
  const dir = agent.folder('links');
  for (const [directory, links] of [
    ['share/zoneinfo', 240],
    ['lib', 60],
  ] as const) {
    mkdirSync(path.join(dir, directory), { recursive: true });
    for (let n = 0; n < links; n += 1) symlinkSync('nowhere', path.join(dir, directory, `link-${n}`));
  }
  await agent.mirror('links', dir);
  await signIn();
  const card = page.getByRole('article', { name: 'links: Up to date' });
  await expect(card).toContainText('300 symbolic links are not synced');
  await expect(card).toContainText('/share/zoneinfo 240');
  await expect(card.getByText('Cause')).toHaveCount(1);
  await look(page, 'overview-problem-group');
  await card.getByRole('button', { name: 'List 300 paths' }).press('Enter');
  const list = card.getByRole('region', { name: /300 symbolic links/ });
  await expect(list.getByRole('listitem')).toHaveCount(200);
  await card.getByRole('button', { name: 'Show more: 200 of 300' }).click();
  await expect(list.getByRole('listitem')).toHaveCount(300);
  await look(page, 'overview-problem-list');
  await card.getByRole('button', { name: 'Hide the list' }).click();
  await expect(list).toBeHidden();
});
