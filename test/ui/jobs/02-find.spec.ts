// Job 2: a file, a text and an id are found from the keyboard, wherever they are, in files that were never opened.
import type { Locator, Page } from '@playwright/test';
import { goByKeys } from '../by-keys.ts';
import { look, lookAtState } from '../look.ts';
import type { FilledAgent } from './filled-agent.ts';
import { expect, jobTest, overviewSeen, seen } from './job-test.ts';

const fees = [
  '# Fees',
  '',
  'Ask the harbour master before you change your berth.',
  ...Array.from({ length: 80 }, (_, index) => `Line ${index + 4} of the guide.`),
  'The harbour master signs off every change of a fee.',
];

async function writeFees({ agent, product, inbox }: FilledAgent): Promise<void> {
  const { client } = agent;
  await client.writeFile(product.workspaceId, '/harbour/berth-fees.md', `${fees.join('\n')}\n`);
  await client.writeFile(inbox.workspaceId, '/macros/berth-change.md', 'Ask the harbour master first.\n');
  await client.searches.page(inbox.workspaceId, 'harbour', { waitMs: 10_000 });
}

const options = (page: Page): Locator => page.getByRole('option');
const inContents = (page: Page): Locator =>
  page.getByRole('group', { name: 'In contents' }).getByRole('option');

async function find(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.keyboard.type(text);
}

jobTest('2. Find a file and a text, and open it at the line', async ({ page, filled, signIn, timed }) => {
  await writeFees(filled);
  const { product } = filled;
  await signIn();
  await overviewSeen(page);

  // By a part of its name: nothing has been opened before.
  const names = page.getByRole('group', { name: 'Files' }).getByRole('option');
  await page.keyboard.press('Control+k');
  await timed('palette: letters to the file of 2,000', 300, async () => {
    await page.keyboard.type('bfees');
    await seen(names.filter({ hasText: 'berth-fees.md' }));
  });
  await expect(names).toHaveCount(1);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/#files\/harbour\/berth-fees\.md/);
  await expect(page.getByRole('region', { name: 'File', exact: true })).toContainText('Line 4 of the guide.');

  // By its content: two lines of a file.
  await page.keyboard.press('Control+k');
  await timed('palette: words to the lines', 300, async () => {
    await page.keyboard.type('harbour mas');
    await seen(inContents(page).nth(2));
  });
  await expect(inContents(page)).toHaveCount(3);
  await expect(inContents(page).filter({ hasText: 'inbox' })).toContainText('harbour master');
  await expect(inContents(page).filter({ hasText: 'berth-fees.md:84' })).toContainText('signs off');
  await lookAtState(page, 'finder-found');

  // The same search on the page.
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
  // The narrow window hid the list, and the focus with it.
  await page.keyboard.press('j');
  await timed('Search: Enter to the line in Files', 500, async () => {
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(
      new RegExp(`#files/harbour/berth-fees\\.md\\?workspace=${product.workspaceId}&line=84$`),
    );
    const line = page.getByRole('region', { name: 'File', exact: true }).locator('[aria-current]');
    await expect(line).toBeInViewport();
    await expect(line).toContainText('signs off every change');
  });

  // Back is the search as it was.
  await page.goBack();
  await expect(found).toContainText('Line 2 of 2');
});

jobTest('2. Find by words that filter, by id, and act on what is found', async ({ page, filled, signIn }) => {
  await writeFees(filled);
  const { agent, product, inbox } = filled;
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const traced = { correlationId: 'berth-audit-7' };
  const { opId } = await agent.client.writeFile(inbox.workspaceId, '/traced.md', 'traced\n', traced);
  const { events } = await agent.client.events.page(inbox.workspaceId);
  const eventId = events.findLast(({ path }) => path === '/traced.md')?.eventId ?? '';
  await signIn();
  await page.goto(`${agent.url}/#files/?workspace=${product.workspaceId}`);

  // Filters among the words, in the palette and on the page.
  await find(page, 'harbour in:inbox type:md');
  await expect(page.getByRole('dialog')).toContainText('Only in:inboxtype:md');
  await expect(inContents(page)).toHaveText([/berth-change\.md:1/]);
  await lookAtState(page, 'finder-filters');
  await page.keyboard.press('Control+Enter');
  await expect(page).toHaveURL(
    new RegExp(`#search\\?q=harbour&workspace=${inbox.workspaceId}&glob=\\*\\.md$`),
  );
  const rows = page.getByRole('grid', { name: 'Results' }).getByRole('row');
  await expect(rows.filter({ hasText: 'berth-change.md' })).toBeVisible();
  const field = page.getByRole('textbox', { name: 'Search files' });
  await field.fill('harbour ');
  await page.keyboard.type('path:/nothing after:2020-01-01 ');
  await expect(field).toHaveValue('harbour ');
  await expect(page.getByRole('textbox', { name: 'Folder' })).toHaveValue('/nothing');
  await expect(page.getByRole('button', { name: 'Changed: since 2020-01-01' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'No file matches “harbour”' })).toBeVisible();

  // The actions of a result.
  await find(page, 'bfees');
  await expect(options(page).filter({ hasText: 'berth-fees.md' })).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('group', { name: 'Actions' }).getByRole('option')).toHaveCount(7);
  await lookAtState(page, 'finder-actions');
  await page.keyboard.press('ArrowLeft');
  await expect(options(page).filter({ hasText: 'berth-fees.md' })).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('ArrowRight');
  await expect(options(page).first()).toHaveText('Open');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/#files\/harbour\/berth-fees\.md\?workspace=\w+&view=history$/);
  await find(page, 'bfees');
  await expect(options(page).filter({ hasText: 'berth-fees.md' })).toBeVisible();
  await page.keyboard.press('ArrowRight');
  await options(page).filter({ hasText: 'Copy path' }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('/harbour/berth-fees.md');

  // Ids, in whichever workspace they are.
  const openId = async (text: string): Promise<void> => {
    await find(page, text);
    await expect(options(page).first()).toContainText(text.replace('#', ''));
    await page.keyboard.press('Enter');
  };
  await openId(opId);
  await expect(page).toHaveURL(new RegExp(`#operations/${opId}\\?workspace=${inbox.workspaceId}$`));
  await expect(page.getByRole('region', { name: 'Operation', exact: true })).toContainText('/traced.md');
  await openId(`#${eventId}`);
  await expect(page).toHaveURL(new RegExp(`#activity/${eventId}\\?workspace=${inbox.workspaceId}$`));
  await find(page, `#${eventId.slice('evt_'.length)}`);
  await expect(options(page).filter({ hasText: eventId })).toBeVisible();
  await page.keyboard.press('Escape');
  const [letter] = (await agent.client.sync.deadLetters.list(inbox.workspaceId)).items;
  await openId(`#${letter?.envelopeId}`);
  await expect(page).toHaveURL(
    new RegExp(`#dead-letters/${letter?.envelopeId}\\?workspace=${inbox.workspaceId}$`),
  );
  await page.goto(`${agent.url}/#files/?workspace=${product.workspaceId}`);
  await openId('#berth-audit-7');
  await expect(page).toHaveURL(
    new RegExp(`#operations(/[^?]*)?\\?workspace=${inbox.workspaceId}&text=berth-audit-7&saves=all`),
  );
  await expect(
    page.getByRole('grid', { name: 'Operations' }).getByRole('row').filter({ hasText: '/traced.md' }),
  ).toBeVisible();
  await find(page, '#berth-audit-7');
  await lookAtState(page, 'finder-id');
  await options(page).filter({ hasText: 'Activity' }).click();
  await expect(page).toHaveURL(/#activity(\/[^?]*)?\?workspace=\w+&text=berth-audit-7/);
  await expect(page.getByText('/traced.md').first()).toBeVisible();
  await find(page, '>Diagn');
  await expect(options(page)).toHaveText([/Diagnostics/]);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Diagnostics' })).toBeVisible();
});

jobTest(
  '2. Find: filters narrow, new files appear, what is not valid says why',
  async ({ page, filled, signIn, timed }) => {
    await writeFees(filled);
    const { agent, product } = filled;
    await signIn();
    await goByKeys(page, 's', 'search');
    await expect(page.getByRole('heading', { name: /^Search 2,\d+ files$/ })).toBeVisible();
    await lookAtState(page, 'search-empty');
    await page.keyboard.type('"harbour master"');
    const rows = page.getByRole('grid', { name: 'Results' }).getByRole('row');
    await expect(rows.filter({ hasText: 'berth-change.md' })).toBeVisible();
    await page.getByRole('search').getByRole('button', { name: 'Workspace: all' }).click();
    await page.getByRole('menuitemradio', { name: 'product-docs' }).click();
    await expect(rows.filter({ hasText: 'berth-change.md' })).toHaveCount(0);
    await expect(rows.filter({ hasText: 'berth-fees.md' }).first()).toBeVisible();
    await page.getByRole('textbox', { name: 'Glob' }).fill('*.txt');
    const none = page.getByRole('heading', { name: /^No file matches/ });
    await expect(none).toBeVisible();

    // What an agent writes now is there without a key.
    await timed('a new file: until it is found', 1_000, async () => {
      await agent.client.writeFile(product.workspaceId, '/notes/today.txt', 'The harbour master is away.\n');
      await expect(rows.filter({ hasText: 'today.txt' })).toContainText('The harbour master is away.');
    });
    await agent.client.deleteFile(product.workspaceId, '/notes/today.txt');
    await expect(none).toBeVisible();
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
  },
);
