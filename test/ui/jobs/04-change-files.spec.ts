// Job 4: files are created, uploaded, dropped, moved and deleted in the page; the mirrored folder follows, and each step can be undone.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { lookAtState } from '../look.ts';
import type { FilledAgent } from './filled-agent.ts';
import { expect, jobTest } from './job-test.ts';

const row = (page: Page, name: string | RegExp): Locator =>
  page
    .getByRole('grid', { name: /^Files in/ })
    .getByRole('row')
    .filter({ hasText: name });

const listOf = (page: Page): Locator => page.getByRole('region', { name: 'Files', exact: true });

async function openFolder(page: Page, { agent, product }: FilledAgent, folder: string): Promise<void> {
  await page.goto(`${agent.url}/#files${folder}?workspace=${product.workspaceId}`);
  await expect(listOf(page)).toBeVisible();
}

const lastAction = (page: Page): Locator => page.getByRole('region', { name: 'Last action' });

jobTest('4. Change files: create, rename, move, delete, undo', async ({ page, filled, signIn, timed }) => {
  const { agent, product } = filled;
  const inDir = (name: string): string => path.join(product.dir, name);
  for (const name of ['fees', 'safety']) {
    const text = `# ${name}\n`;
    await agent.client.writeFile(product.workspaceId, `/work/${name}.md`, text, {
      contentType: 'text/markdown',
    });
  }
  await signIn();
  await openFolder(page, filled, '/work/');
  await expect(row(page, 'fees.md')).toBeVisible();

  await page.keyboard.press('n');
  await page.keyboard.type('drafts/plan.md');
  await timed('new file: Enter to the open file', 500, async () => {
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/#files\/work\/drafts\/plan\.md/);
  });
  await expect.poll(() => existsSync(inDir('work/drafts/plan.md'))).toBe(true);

  // A name that exists is refused in the dialog, which stays open.
  await openFolder(page, filled, '/work/fees.md');
  await expect(page.getByRole('region', { name: 'Content of fees.md' })).toContainText('fees');
  await page.keyboard.press('F2');
  await page.keyboard.type('safety');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog').getByRole('alert')).toBeVisible();
  await page.getByRole('textbox', { name: 'Path' }).fill('/work/berths/fees.md');
  await timed('rename: Enter to the new place in the folder', 1_000, async () => {
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/#files\/work\/berths\/fees\.md/);
    await expect.poll(() => existsSync(inDir('work/berths/fees.md')), { intervals: [20] }).toBe(true);
  });
  await page.keyboard.press('Control+z');
  await expect(page).toHaveURL(/#files\/work\/fees\.md/);
  await expect.poll(() => existsSync(inDir('work/berths/fees.md'))).toBe(false);

  // The rows are in their places again: another row would be under the pointer.
  await expect(row(page, 'berths')).toHaveCount(0);
  await expect(row(page, 'fees.md')).toBeVisible();

  // By the pointer: onto a folder, and back by Undo.
  await timed('drag onto a folder: until the row has left', 1_000, async () => {
    await row(page, 'safety.md').getByText('safety.md').dragTo(row(page, 'drafts').getByText('drafts'));
    await expect(row(page, 'safety.md')).toHaveCount(0);
  });
  await expect.poll(() => existsSync(inDir('work/drafts/safety.md'))).toBe(true);
  await lastAction(page).getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => existsSync(inDir('work/safety.md'))).toBe(true);
  // Onto a part of the breadcrumb: up to the workspace.
  await expect(row(page, 'safety.md')).toBeVisible();
  const up = page.getByRole('navigation', { name: 'Path of the folder' }).getByRole('button').first();
  await row(page, 'safety.md').getByText('safety.md').dragTo(up);
  await expect.poll(() => existsSync(inDir('safety.md'))).toBe(true);
  await lastAction(page).getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => existsSync(inDir('work/safety.md'))).toBe(true);

  await openFolder(page, filled, '/work/');
  await row(page, 'safety.md').click({ button: 'right' });
  const menu = page.getByRole('menu');
  await expect(menu.getByRole('menuitem', { name: 'Copy as curl' })).toBeVisible();
  await lookAtState(page, 'files-menu');
  await timed('delete: until the row has left', 500, async () => {
    await menu.getByRole('menuitem', { name: 'Delete' }).click();
    await expect(row(page, 'safety.md')).toHaveCount(0);
  });
  await expect.poll(() => existsSync(inDir('work/safety.md'))).toBe(false);

  await page.setViewportSize({ width: 1280, height: 800 });
  // Long after Undo has gone, it is put back from the list of deleted files. Moved files are not in it.
  await page.getByRole('button', { name: 'Recently deleted' }).click();
  const deleted = page.getByRole('dialog', { name: 'Recently deleted' });
  await expect(deleted.getByRole('listitem').first()).toContainText('/work/safety.md');
  await expect(deleted).not.toContainText('/work/berths/fees.md');
  await lookAtState(page, 'files-deleted');
  await timed('put back: until the file is in the folder', 1_000, async () => {
    await deleted.getByRole('button', { name: 'Put back /work/safety.md' }).click();
    await expect.poll(() => existsSync(inDir('work/safety.md')), { intervals: [20] }).toBe(true);
  });
  expect(readFileSync(inDir('work/safety.md'), 'utf8')).toBe('# safety\n');
  await page.keyboard.press('Escape');
  await expect(row(page, 'safety.md')).toBeVisible();
  await page.setViewportSize({ width: 1280, height: 800 });

  // A folder is deleted and restored as one change. What is written there meanwhile stays.
  await openFolder(page, filled, '/');
  await row(page, 'work').click({ button: 'right' });
  await menu.getByRole('menuitem', { name: 'Delete folder…' }).click();
  await page.getByRole('button', { name: 'Delete 3 files' }).click();
  await expect(row(page, 'work')).toHaveCount(0);
  await expect(lastAction(page)).toContainText('Deleted /work.');
  await agent.client.writeFile(product.workspaceId, '/work/later.md', 'later\n');
  await page.keyboard.press('Control+z');
  await expect(lastAction(page)).toContainText('Undone.');
  await expect(row(page, 'work')).toBeVisible();
  const restored = await agent.client.readFile(product.workspaceId, '/work/fees.md');
  expect(restored.content).toBe('# fees\n');
  const later = await agent.client.readFile(product.workspaceId, '/work/later.md');
  expect(later.content).toBe('later\n');

  // Undo that is pressed while the deletion is under way acts on it, and not on the action before.
  await openFolder(page, filled, '/work/');
  const release = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  await page.route(/\/fs\/file\?/, async (route) => {
    if (route.request().method() === 'DELETE') {
      held.resolve();
      await release.promise;
    }
    await route.continue();
  });
  await row(page, 'safety.md').click({ button: 'right' });
  await menu.getByRole('menuitem', { name: 'Delete' }).click();
  await held.promise;
  await page.keyboard.press('Control+z');
  release.resolve();
  await expect(lastAction(page)).toContainText('Undone.');
  await expect(row(page, 'safety.md')).toBeVisible();
  expect(readFileSync(inDir('work/fees.md'), 'utf8')).toBe('# fees\n');
});

jobTest(
  '4. Change files: upload and drop, with a name that exists',
  async ({ page, filled, signIn, timed }) => {
    const { agent, product } = filled;
    await agent.client.writeFile(product.workspaceId, '/uploads/plan.md', 'old plan\n');
    await signIn();
    await openFolder(page, filled, '/uploads/');
    await expect(row(page, 'plan.md')).toBeVisible();
    const text = (name: string, content: string) => ({
      name,
      mimeType: 'text/markdown',
      buffer: Buffer.from(content),
    });
    const contentOf = async (at: string): Promise<string> =>
      (await agent.client.readFile(product.workspaceId, at)).content;
    const choose = async (content: string): Promise<Locator> => {
      const files = [text('plan.md', content), text('todo.md', 'todo\n')];
      await page.getByLabel('Files to upload').setInputFiles(files);
      return page.getByRole('dialog', { name: /exists? already$/ });
    };
    const dialog = await choose('new plan\n');
    await expect(dialog).toContainText('plan.md');
    expect(await contentOf('/uploads/todo.md')).toBe('todo\n');
    expect(await contentOf('/uploads/plan.md')).toBe('old plan\n');
    await lookAtState(page, 'files-upload-exists');
    await dialog.getByRole('button', { name: 'Keep both' }).click();
    await expect(row(page, 'plan (2).md')).toBeVisible();
    expect(await contentOf('/uploads/plan (2).md')).toBe('new plan\n');
    await (await choose('third\n')).getByRole('button', { name: 'Skip' }).click();
    expect(await contentOf('/uploads/plan.md')).toBe('old plan\n');
    await (await choose('fourth\n')).getByRole('button', { name: 'Replace' }).click();
    await expect.poll(() => contentOf('/uploads/plan.md')).toBe('fourth\n');

    // A new folder takes what is dropped on it.
    await page.getByRole('button', { name: 'New', exact: true }).click();
    await page.getByRole('menuitem', { name: 'New folder…' }).click();
    await page.keyboard.type('in');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'No files in this folder' })).toBeVisible();
    const drop = async (target: Locator, count: number): Promise<void> => {
      const dataTransfer = await page.evaluateHandle((files) => {
        const transfer = new DataTransfer();
        for (let index = 0; index < files; index += 1)
          transfer.items.add(new File([`${index}\n`], `dropped-${index}.md`, { type: 'text/markdown' }));
        return transfer;
      }, count);
      await target.dispatchEvent('dragover', { dataTransfer });
      await target.dispatchEvent('drop', { dataTransfer });
    };
    const dropped = 100;
    await timed(`drop ${dropped} files: until all are listed`, 5_000, async () => {
      await drop(listOf(page), dropped);
      await expect(listOf(page)).toContainText(`${dropped} entries`);
    });
    expect(await contentOf('/uploads/in/dropped-99.md')).toBe('99\n');

    // Onto a folder of the list.
    await openFolder(page, filled, '/uploads/');
    await drop(row(page, 'in').getByText('in', { exact: true }), dropped + 1);
    const again = page.getByRole('dialog', { name: `${dropped} files exist already` });
    await again.getByRole('button', { name: 'Skip' }).click();
    expect(await contentOf(`/uploads/in/dropped-${dropped}.md`)).toBe(`${dropped}\n`);

    // What is chosen while files are uploaded waits for its turn, and each asks about its own names.
    const turn = Promise.withResolvers<void>();
    await page.route(/\/fs\/file\?/, async (route) => {
      if (route.request().method() === 'PUT') await turn.promise;
      await route.continue();
    });
    const field = page.getByLabel('Files to upload');
    await field.setInputFiles([text('plan.md', 'not this\n'), text('one.md', 'one\n')]);
    await expect(page.getByText('Uploading 1 of 2 files')).toBeVisible();
    await field.setInputFiles([text('todo.md', 'not this\n'), text('two.md', 'two\n')]);
    turn.resolve();
    for (const name of ['plan.md', 'todo.md']) {
      const question = page.getByRole('dialog', { name: '1 file exists already' });
      await expect(question).toContainText(name);
      await question.getByRole('button', { name: 'Skip' }).click();
    }
    for (const [name, content] of Object.entries({ plan: 'fourth', todo: 'todo', one: 'one', two: 'two' }))
      expect(await contentOf(`/uploads/${name}.md`)).toBe(`${content}\n`);

    // The page is left while files are uploaded: closing it asks, and another screen says what was not replaced.
    const release = Promise.withResolvers<void>();
    await page.route(/\/fs\/file\?/, async (route) => {
      if (route.request().method() === 'PUT') await release.promise;
      await route.continue();
    });
    const files = [text('plan.md', 'fifth\n'), text('later.md', 'later\n')];
    await page.getByLabel('Files to upload').setInputFiles(files);
    await expect(page.getByText('Uploading 1 of 2 files')).toBeVisible();
    const asked = page.waitForEvent('dialog');
    await page.close({ runBeforeUnload: true });
    const question = await asked;
    expect(question.type()).toBe('beforeunload');
    await question.dismiss();
    await page.getByRole('link', { name: 'Activity' }).click();
    await expect(page.getByRole('heading', { name: 'Activity' })).toBeVisible();
    release.resolve();
    const said = '1 file exists already in /uploads and was not replaced.';
    await expect(lastAction(page)).toContainText(`Uploaded 1 file. ${said}`);
    expect(await contentOf('/uploads/plan.md')).toBe('fourth\n');
    expect(await contentOf('/uploads/later.md')).toBe('later\n');
  },
);

jobTest(
  '4. Change files: several at once, by keyboard alone, then by mouse',
  async ({ page, filled, signIn, timed }) => {
    const { agent, product } = filled;
    const { workspaceId } = product;
    const names = ['ads.md', 'berths.md', 'cranes.md', 'draft-2.md', 'draft-10.md'];
    await agent.client.files.writeMany(
      workspaceId,
      names.map((name) => ({ path: `/several/${name}`, content: `${name}\n` })),
    );
    await signIn();
    await openFolder(page, filled, '/several/');
    await page.setViewportSize({ width: 1280, height: 800 });
    const selection = page.getByRole('region', { name: 'Selection' });
    const box = (name: string) => row(page, name).getByRole('checkbox');

    // Marked by X, by a range, and unmarked by Escape; the first mark is never an action.
    await expect(row(page, 'ads.md')).toBeVisible();
    await page.keyboard.press('j');
    await expect(row(page, 'ads.md')).toBeFocused();
    await page.keyboard.press('x');
    await expect(box('ads.md')).toBeChecked();
    await page.keyboard.press('j');
    await page.keyboard.press('Shift+ArrowDown');
    await expect(selection).toContainText('3 selected');
    await page.keyboard.press('Control+a');
    await expect(selection).toContainText('5 selected');
    await lookAtState(page, 'files-selected');
    await page.keyboard.press('Escape');
    await expect(selection).toBeHidden();

    // Moved as one change, which one Undo brings back.
    await page.keyboard.press('x');
    await page.keyboard.press('Shift+ArrowDown');
    await expect(selection).toContainText('2 selected');
    await page.keyboard.press('F2');
    await expect(page.getByRole('dialog', { name: 'Move 2 entries' })).toBeVisible();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('/several/kept/');
    await timed('move two: Enter to the rows gone', 1_000, async () => {
      await page.keyboard.press('Enter');
      await expect(row(page, 'cranes.md')).toHaveCount(0);
    });
    await expect(lastAction(page)).toContainText('Moved 2 entries to /several/kept');
    await expect.poll(() => existsSync(path.join(product.dir, 'several/kept/cranes.md'))).toBe(true);
    await page.keyboard.press('Control+z');
    await expect(row(page, 'cranes.md')).toBeVisible();
    const returned = async () =>
      (await agent.client.listTree(workspaceId, { path: '/several' })).entries.map((entry) => entry.path);
    await expect.poll(returned).toEqual(names.map((name) => `/several/${name}`).sort());

    // A name that exists there: nothing is moved.
    await agent.client.writeFile(workspaceId, '/several/taken/draft-10.md', 'other\n');
    await openFolder(page, filled, '/several/');
    await expect(row(page, 'taken')).toBeVisible();
    await page.keyboard.press('End');
    await page.keyboard.press('j');
    await page.keyboard.press('End');
    await expect(row(page, 'draft-10.md')).toBeFocused();
    await page.keyboard.press('x');
    await page.keyboard.press('Shift+ArrowUp');
    await expect(selection).toContainText('2 selected');
    await page.keyboard.press('F2');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('/several/taken');
    await page.keyboard.press('Enter');
    const refused = page.getByRole('dialog').getByRole('alert');
    await expect(refused).toContainText('A file with the same name exists in /several/taken');
    await page.keyboard.press('Escape');
    await expect(row(page, 'draft-2.md')).toBeVisible();

    // Deleted at once, as one change.
    await timed('delete two: until the rows have left', 500, async () => {
      await page.keyboard.press('Delete');
      await expect(row(page, /draft-/)).toHaveCount(0);
    });
    await expect(lastAction(page)).toContainText('Deleted 2 entries.');
    await page.keyboard.press('Control+z');
    await expect(row(page, /draft-/)).toHaveCount(2);

    // By the pointer: Ctrl adds a row, a marked row takes the others along.
    await page.keyboard.press('Escape');
    await row(page, 'ads.md').click();
    await row(page, 'ads.md').click({ modifiers: ['Control'] });
    await row(page, 'berths.md').click({ modifiers: ['Control'] });
    await expect(selection).toContainText('2 selected');
    await row(page, 'berths.md').getByText('berths.md').dragTo(row(page, 'taken').getByText('taken'));
    await expect(row(page, 'ads.md')).toHaveCount(0);
    await expect(row(page, 'berths.md')).toHaveCount(0);
    const there = await agent.client.readFile(workspaceId, '/several/taken/ads.md');
    expect(there.content).toBe('ads.md\n');
  },
);
