// Find a file or a text: with the finder and on the Search page, by keyboard, in files that were never opened.
import { goByKeys } from './by-keys.ts';
import { expect, test } from './fixtures.ts';
import { look, lookAtState } from './look.ts';
import type { UiAgent } from './ui-agent.ts';

const filesPerRequest = 500;
const fees = [
  '# Fees',
  '',
  'Ask the harbour master before you change your berth.',
  ...Array.from({ length: 80 }, (_, index) => `Line ${index + 4} of the guide.`),
  'The harbour master signs off every change of a fee.',
];

/** Two workspaces with 2,002 files, none of which a page has seen. */
async function filledAgent({ client }: UiAgent): Promise<{ docs: string; desk: string }> {
  const { workspaceId: docs } = await client.workspaces.create({ name: 'product-docs' });
  const { workspaceId: desk } = await client.workspaces.create({ name: 'support-desk' });
  for (let from = 0; from < 2_000; from += filesPerRequest) {
    const files = Array.from({ length: filesPerRequest }, (_, index) => ({
      path: `/archive/${2000 + ((from + index) % 20)}/report-${from + index}.md`,
      content: `# Report ${from + index}\n\nThe tide was ${index} cm high.\n`,
    }));
    await client.bulkWrite(docs, files);
  }
  await client.writeFile(docs, '/guides/harbour/berth-fees.md', `${fees.join('\n')}\n`);
  await client.writeFile(desk, '/macros/berth-change.md', 'Ask the harbour master first.\n');
  await client.searches.page(desk, 'harbour', { waitMs: 10_000 });
  return { docs, desk };
}

test('a file and a text are found by keyboard, wherever they are, and open at the line', async ({
  page,
  agent,
  signIn,
}) => {
  const { docs } = await filledAgent(agent);
  await signIn();

  // By a part of its name: nothing has been opened before.
  await page.keyboard.press('Control+k');
  await page.keyboard.type('bfees');
  const names = page.getByRole('group', { name: 'Files' });
  await expect(names.getByRole('option')).toHaveText([/berth-fees\.md/]);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/#files\/guides\/harbour\/berth-fees\.md/);
  await expect(page.getByRole('region', { name: 'File', exact: true })).toContainText('Line 4 of the guide.');

  // By its content, and then the same search on the page.
  await page.keyboard.press('Control+k');
  await page.keyboard.type('harbour mas');
  const inContents = page.getByRole('group', { name: 'In contents' });
  await expect(inContents.getByRole('option')).toHaveCount(2);
  await expect(inContents.getByRole('option').filter({ hasText: 'support-desk' })).toContainText(
    'harbour master',
  );
  await lookAtState(page, 'finder-found');
  await page.keyboard.press('Control+Enter');
  await expect(page).toHaveURL(/#search\?q=harbour\+mas/);
  await expect(page.getByRole('textbox', { name: 'Search files' })).toBeFocused();
  const list = page.getByRole('grid', { name: 'Results' });
  const found = page.getByRole('region', { name: 'Found file' });
  await expect(list.getByRole('row')).toHaveCount(2);
  await expect(found.locator('[aria-current]')).toContainText('harbour master');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Home');
  await expect(list.getByRole('row').first()).toHaveAttribute('aria-selected', 'true');
  while (!(await found.textContent())?.includes('berth-fees')) await page.keyboard.press('j');
  await page.keyboard.press('n');
  await expect(found).toContainText('Line 2 of 2');
  await expect(found.locator('[aria-current]')).toContainText('84The harbour master signs off');
  await look(page, 'search-found');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(
    new RegExp(`#files/guides/harbour/berth-fees\\.md\\?workspace=${docs}&line=84$`),
  );
  const line = page.getByRole('region', { name: 'File', exact: true }).locator('[aria-current]');
  await expect(line).toBeInViewport();
  await expect(line).toContainText('signs off every change');

  // Back is the search as it was.
  await page.goBack();
  await expect(found).toContainText('Line 2 of 2');
});

test('filters narrow a search, a new file appears in it, and what is not valid says why', async ({
  page,
  agent,
  signIn,
}) => {
  const { docs } = await filledAgent(agent);
  await signIn();
  await goByKeys(page, 's', 'search');
  await expect(page.getByRole('heading', { name: 'Search 2,002 files' })).toBeVisible();
  await lookAtState(page, 'search-empty');
  await page.keyboard.type('harbour');
  const rows = page.getByRole('grid', { name: 'Results' }).getByRole('row');
  await expect(rows.filter({ hasText: 'berth-change.md' })).toBeVisible();
  await page.getByRole('search').getByRole('button', { name: 'Workspace: all' }).click();
  await page.getByRole('menuitemradio', { name: 'product-docs' }).click();
  await expect(rows.filter({ hasText: 'berth-change.md' })).toHaveCount(0);
  await expect(rows.filter({ hasText: 'berth-fees.md' }).first()).toBeVisible();
  await page.getByRole('textbox', { name: 'Glob' }).fill('*.txt');
  await expect(page.getByRole('heading', { name: 'No file matches “harbour”' })).toBeVisible();

  // What an agent writes now is there without a key.
  await agent.client.writeFile(docs, '/notes/today.txt', 'The harbour is closed.\n');
  await expect(rows.filter({ hasText: 'today.txt' })).toContainText('The harbour is closed.');
  await agent.client.deleteFile(docs, '/notes/today.txt');
  await expect(page.getByRole('heading', { name: 'No file matches “harbour”' })).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();

  await page.getByRole('button', { name: 'Regex' }).click();
  await page.getByRole('textbox', { name: 'Search files' }).fill('(harbour');
  const alert = page.getByRole('alert');
  await expect(alert).toContainText('Invalid regular expression');
  await expect(alert).toContainText('Missing closing ): `(harbour`.');
  await lookAtState(page, 'search-invalid');
  await page.getByRole('textbox', { name: 'Search files' }).fill('^Ask the harbour \\w+');
  await expect(rows).toHaveCount(2);
  await page.getByRole('button', { name: 'Match case' }).click();
  await page.getByRole('textbox', { name: 'Search files' }).fill('^ask');
  await expect(page.getByRole('heading', { name: 'No text matches “^ask”' })).toBeVisible();
});
