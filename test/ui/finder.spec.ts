import { expect, test } from './fixtures.ts';

test('a pasted id opens its screen in the workspace that knows it; commands are found by their words', async ({
  page,
  agent,
  signIn,
}) => {
  const first = await agent.client.workspaces.create({ name: 'first' });
  const second = await agent.client.workspaces.create({ name: 'second' });
  await agent.client.writeFile(first.workspaceId, '/other.md', 'other\n');
  const { opId } = await agent.client.writeFile(second.workspaceId, '/plan.md', 'plan\n');
  const { events } = await agent.client.events.page(second.workspaceId);
  const eventId = events.find((event) => event.path === '/plan.md')?.eventId ?? '';
  await signIn();
  await page.goto(`${agent.url}/#files/?workspace=${first.workspaceId}`);
  const find = async (text: string): Promise<void> => {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill(text);
    await expect(page.getByRole('option').first()).toContainText(text);
    await page.keyboard.press('Enter');
  };
  await find(opId);
  await expect(page).toHaveURL(new RegExp(`#operations/${opId}\\?workspace=${second.workspaceId}$`));
  await expect(page.getByRole('region', { name: 'Operation', exact: true })).toContainText('/plan.md');
  await find(eventId);
  await expect(page).toHaveURL(new RegExp(`#activity/${eventId}\\?workspace=${second.workspaceId}$`));
  await find('Diagnostics');
  await expect(page.getByRole('heading', { name: 'Diagnostics' })).toBeVisible();
});
