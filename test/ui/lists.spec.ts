// What all lists can do: sort by their heads, resize columns and panes by pointer and keys, remember it, give the detail the whole sheet,
// mark ranges, and show the same menu in a row and in its detail.
import type { Page } from '@playwright/test';
import { dataRows } from './data-rows.ts';
import { expect, test } from './fixtures.ts';
import { expectAccessible } from './look.ts';
import type { UiAgent } from './ui-agent.ts';

async function withFiles(agent: UiAgent): Promise<string> {
  const { workspaceId } = await agent.client.workspaces.create({ name: 'product-docs' });
  const { client } = agent;
  for (const [name, length] of [
    ['Discounts.md', 30],
    ['ads.md', 10],
    ['item-10.md', 50],
    ['item-2.md', 20],
    ['archive/old.md', 1],
  ] as const) {
    await client.writeFile(workspaceId, `/${name}`, 'x'.repeat(length));
  }
  return workspaceId;
}

const names = async (page: Page): Promise<string> =>
  (await page.locator('.list-name').allTextContents()).join(' ');
const head = (page: Page, name: string) => page.getByRole('columnheader', { name: new RegExp(`^${name}`) });

test('a list sorts by its heads, and the address, Back and the next file keep the order', async ({
  page,
  agent,
  signIn,
}) => {
  const workspaceId = await withFiles(agent);
  await signIn();
  await page.goto(`${agent.url}/#files/?workspace=${workspaceId}`);
  await expect.poll(() => names(page)).toBe('archive ads.md Discounts.md item-2.md item-10.md');
  await expect(head(page, 'Name')).toHaveAttribute('aria-sort', 'ascending');
  await head(page, 'Size').getByRole('button').click();
  await expect(head(page, 'Size')).toHaveAttribute('aria-sort', 'descending');
  await expect(head(page, 'Name')).not.toHaveAttribute('aria-sort');
  expect(await names(page)).toBe('archive item-10.md Discounts.md item-2.md ads.md');
  await head(page, 'Size').getByRole('button').click();
  expect(await names(page)).toBe('archive ads.md item-2.md Discounts.md item-10.md');
  await dataRows(page).filter({ hasText: 'item-2.md' }).click();
  await expect(page).toHaveURL(/item-2\.md\?.*sort=size/);
  await page.reload();
  await expect(head(page, 'Size')).toHaveAttribute('aria-sort', 'ascending');
  // By keys: one stop, arrows between the heads, Enter sorts and opens nothing.
  await head(page, 'Name').getByRole('button').focus();
  await page.keyboard.press('Enter');
  await expect(head(page, 'Name')).toHaveAttribute('aria-sort', 'ascending');
  await page.keyboard.press('ArrowRight');
  await expect(head(page, 'Size').getByRole('button')).toBeFocused();
  await expectAccessible(page);
});

test('columns and panes resize by pointer and keys, keep their least widths, and are remembered', async ({
  page,
  agent,
  signIn,
}) => {
  const workspaceId = await withFiles(agent);
  await page.setViewportSize({ width: 1600, height: 800 });
  await signIn();
  await page.goto(`${agent.url}/#files/ads.md?workspace=${workspaceId}`);
  const size = page.getByRole('separator', { name: 'Width of Size' });
  const widthOf = async (): Promise<number> => Number(await size.getAttribute('aria-valuenow'));
  await expect(size).toBeVisible();
  const before = await widthOf();
  await size.focus();
  await page.keyboard.press('ArrowRight');
  expect(await widthOf()).toBe(before + 16);
  const box = await size.boundingBox();
  if (box === null) throw new Error('no edge');
  await page.mouse.move(box.x + 3, box.y + 10);
  await page.mouse.down();
  await page.mouse.move(box.x + 33, box.y + 10, { steps: 3 });
  await page.mouse.up();
  expect(await widthOf()).toBe(before + 46);

  const pane = page.getByRole('separator', { name: 'Width of the list' });
  const list = page.getByRole('region', { name: 'Files', exact: true });
  const listPx = async (): Promise<number> => (await list.boundingBox())?.width ?? 0;
  // A change of the width is measured before the next one.
  const valueOfPane = async (): Promise<number> => Number(await pane.getAttribute('aria-valuenow'));
  await pane.focus();
  await page.keyboard.press('Home');
  await expect.poll(listPx).toBe(260);
  await expect.poll(valueOfPane).toBe(260);
  await page.keyboard.press('ArrowRight');
  await expect.poll(listPx).toBe(276);
  await page.reload();
  await expect.poll(listPx).toBe(276);
  // The name keeps 200 px: what does not fit has left.
  await expect(size).toBeHidden();
  expect((await page.locator('.list-name').first().boundingBox())?.width).toBeGreaterThanOrEqual(200);
  await pane.dblclick();
  await expect.poll(listPx).toBeGreaterThan(300);
  await expect(size).toBeVisible();
  expect(await widthOf()).toBe(before + 46);

  // Z: the detail has the whole sheet, J still moves, Z again brings the list back.
  await page.keyboard.press('z');
  await expect(list).toBeHidden();
  await page.keyboard.press('j');
  await expect(page).toHaveURL(/#files\/Discounts\.md/);
  await page.keyboard.press('z');
  await expect(list).toBeVisible();

  // A narrow window has room for one of both: J and K still move, and Escape brings the list back with the focus.
  await page.setViewportSize({ width: 760, height: 560 });
  await expect(list).toBeHidden();
  await page.keyboard.press('k');
  await expect(page).not.toHaveURL(/#files\/Discounts\.md/);
  await page.keyboard.press('ArrowDown');
  await expect(page).toHaveURL(/#files\/Discounts\.md/);
  await page.keyboard.press('Escape');
  await expect(list).toBeVisible();
  await expect(list.getByRole('row', { name: /Discounts\.md/ })).toBeFocused();
});

test('rows are marked by Ctrl and Shift, and a row and its detail have the same menu', async ({
  page,
  agent,
  signIn,
}) => {
  const { workspaceId } = await agent.client.workspaces.create({ name: 'product-docs' });
  const fail = async (name: string): Promise<void> => {
    const event = { provider: 'slack', event_type: 'file.updated', path: `/slack/../${name}.md` };
    await agent.client.sync.ingestWebhook(workspaceId, { ...event, data: { content: 'x\n' } });
  };
  for (const name of ['a', 'b', 'c', 'd']) await fail(name);
  await expect.poll(async () => (await agent.client.sync.deadLetters.list(workspaceId)).items.length).toBe(4);
  await signIn();
  await page.goto(`${agent.url}/#dead-letters?workspace=${workspaceId}`);
  const rows = dataRows(page);
  await rows.nth(0).click();
  await rows.nth(2).click({ modifiers: ['Shift'] });
  const bar = page.getByRole('region', { name: 'Selection' });
  await expect(bar).toContainText('3 selected');
  await rows.nth(1).click({ modifiers: ['ControlOrMeta'] });
  await expect(bar).toContainText('2 selected');
  await page.keyboard.press('ControlOrMeta+a');
  await expect(bar).toContainText('4 selected');
  await page.keyboard.press('Escape');
  await expect(bar).toBeHidden();
  await rows.nth(0).focus();
  await page.keyboard.press('Shift+ArrowDown');
  await expect(bar).toContainText('2 selected');
  await page.keyboard.press('Escape');

  // A row that moves while the pointer is down on it is the one that is opened.
  const pressed = rows.filter({ hasText: 'b.md' });
  await pressed.hover();
  await page.mouse.down();
  const before = await pressed.boundingBox();
  await fail('e');
  await expect(rows).toHaveCount(5);
  expect((await pressed.boundingBox())?.y).not.toBe(before?.y);
  await page.mouse.up();
  await expect(pressed).toHaveAttribute('aria-selected', 'true');

  await rows.nth(3).click({ button: 'right' });
  await expect(rows.nth(3)).toHaveAttribute('aria-selected', 'true');
  const entries = async (): Promise<readonly string[]> => await page.getByRole('menuitem').allTextContents();
  await expect(page.getByRole('menuitem')).not.toHaveCount(0);
  const ofRow = await entries();
  await page.keyboard.press('Escape');
  await page
    .getByRole('region', { name: 'Dead letter', exact: true })
    .getByRole('button', { name: 'More' })
    .click();
  await expect(page.getByRole('menuitem')).toHaveCount(ofRow.length);
  expect(await entries()).toEqual(ofRow);
});
