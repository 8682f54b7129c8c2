// Job 7: an operation among 2,000 is found by its path and by its id, and its replay shows its outcome in place.
import { dataRows } from '../data-rows.ts';
import { expect, jobTest } from './job-test.ts';

jobTest('7. Replay a failed operation', async ({ page, filled, signIn, timed }) => {
  const { agent, linear, product } = filled;
  const { workspaceId } = product;
  await linear.tell({ behaviour: { kind: 'take' } });
  await signIn();
  await page.goto(`${agent.url}/#operations?workspace=${workspaceId}`);
  const rows = dataRows(page);
  const detail = page.getByRole('region', { name: 'Operation details' });
  await expect(rows.first()).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByText(/^[2-9],\d{3} plain saves hidden$/)).toBeVisible();

  await page.keyboard.press('/');
  await page.keyboard.type('eng-2');
  await timed('Find the operation by its path', 1_000, async () => {
    await expect(rows).toHaveCount(1);
    await expect(detail).toContainText('state is not known');
  });
  const [found] = (await agent.client.operations.list(workspaceId, { text: '/linear/ENG-2' })).items;
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Replay', exact: true })).toBeEnabled();
  await page.keyboard.press('r');
  await timed('Replay it and see the outcome', 1_000, async () => {
    await expect(detail.getByRole('listitem').filter({ hasText: 'Succeeded' })).toBeVisible();
    await expect(rows.first()).toContainText('Succeeded');
  });

  // Plain saves are found, too: from the text, and by the id.
  await page.keyboard.press('/');
  await page.keyboard.press('Control+a');
  await page.keyboard.type('guides/fees/3/fees-152.md');
  await expect(rows.first()).toContainText('fees-152.md');
  await expect(rows).toHaveCount(1);
  await page.keyboard.press('Control+a');
  await page.keyboard.type(found?.opId ?? '');
  await expect(rows.first()).toContainText('ENG-2.json');
  await expect(rows).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(page.getByText(/plain saves hidden$/)).toBeVisible();
});
