// Every screen in both themes and both sizes: no finding of axe, no sideways scrolling, a picture in test-results/.
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { chooseTheme, expect, expectAccessible, test } from './fixtures.ts';
import type { UiAgent } from './ui-agent.ts';

const sizes = [
  { size: 'small', width: 900, height: 640 },
  { size: 'wide', width: 1280, height: 800 },
] as const;
const pictures = path.resolve(import.meta.dirname, '../../test-results/screens');

/** Looks at what is shown in both sizes; `name` names the pictures. */
async function look(page: Page, name: string): Promise<void> {
  for (const { size, ...viewport } of sizes) {
    await page.setViewportSize(viewport);
    // Colours that are on their way to another are no state of the screen.
    await page.evaluate(() =>
      Promise.all(
        document
          .getAnimations()
          .filter((each) => each.effect?.getTiming().iterations !== Number.POSITIVE_INFINITY)
          .map((each) => each.finished),
      ),
    );
    await expectAccessible(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
    await page.screenshot({ path: path.join(pictures, `${name}-${size}.png`) });
  }
}

async function populate(agent: UiAgent): Promise<{ workspaceId: string; dir: string }> {
  const dir = agent.folder('product-docs');
  mkdirSync(path.join(dir, 'guides/start'), { recursive: true });
  writeFileSync(path.join(dir, 'README.md'), '# Product docs\n\nStart with the guides.\n');
  for (const name of ['faq', 'glossary', 'onboarding-guide', 'pricing', 'style-guide']) {
    const lines = Array.from(
      { length: 60 },
      (_, index) =>
        `${index + 1}. A sentence of the ${name}, long enough to be wrapped where the pane is narrow.`,
    );
    writeFileSync(path.join(dir, 'guides', `${name}.md`), `# ${name}\n\n${lines.join('\n')}\n`);
  }
  const { workspaceId } = await agent.mirror('product-docs', dir);
  await agent.mirror('release-notes');
  await agent.client.workspaces.create({ name: 'drafts' });
  await agent.client.writeFile(workspaceId, '/guides/pricing.md', '# Pricing\n', {
    contentType: 'text/markdown',
    semantics: {
      properties: { status: 'live', owner: 'docs' },
      relations: ['team-charter'],
      comments: ['c_1'],
    },
  });
  await agent.settle();
  return { workspaceId, dir };
}

for (const theme of ['Light', 'Dark'] as const) {
  test(`every screen passes axe in ${theme.toLowerCase()}`, async ({ page, agent, signIn }) => {
    test.setTimeout(300_000);
    mkdirSync(pictures, { recursive: true });
    const suffix = theme.toLowerCase();
    await signIn();
    await chooseTheme(page, theme);
    await look(page, `first-steps-${suffix}`);
    const { workspaceId, dir } = await populate(agent);
    await expect(page.getByRole('article', { name: 'product-docs: Up to date' })).toBeVisible();
    await look(page, `overview-${suffix}`);
    await page.keyboard.press('?');
    await expect(page.getByRole('dialog', { name: 'Keys' })).toBeVisible();
    await look(page, `keys-${suffix}`);
    await page.keyboard.press('Escape');
    await page.keyboard.press('n');
    await expect(page.getByRole('dialog', { name: 'Mirror a folder' })).toBeVisible();
    await look(page, `mirror-dialog-${suffix}`);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Create an access token for drafts' }).click();
    await look(page, `token-dialog-${suffix}`);
    await page.keyboard.press('Escape');
    await page.goto(`${agent.url}/#files/guides/onboarding-guide.md?workspace=${workspaceId}`);
    await expect(page.getByRole('region', { name: 'Content of onboarding-guide.md' })).toBeVisible();
    await look(page, `files-${suffix}`);
    await page.goto(`${agent.url}/#files/guides/pricing.md?workspace=${workspaceId}&view=details`);
    await expect(page.getByRole('region', { name: 'Details' })).toContainText('status=live');
    await look(page, `files-details-${suffix}`);
    await page.goto(`${agent.url}/#files/nothing/?workspace=${workspaceId}`);
    await expect(page.getByText('No files under this path')).toBeVisible();
    await look(page, `files-empty-${suffix}`);
    await page.keyboard.press('Control+k');
    await expect(page.getByRole('option').first()).toBeVisible();
    await look(page, `finder-${suffix}`);
    await page.keyboard.press('Escape');
    await page.goto(`${agent.url}/#overview`);
    // At once: a folder that is deleted file by file halts for another reason.
    renameSync(dir, `${dir}-elsewhere`);
    // No event tells of it; the next scan does, after ten seconds at the latest.
    await expect(page.getByRole('article', { name: 'product-docs: Halted' })).toBeVisible({
      timeout: 60_000,
    });
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(
      'One mirror is halted. Nothing was deleted.',
    );
    await look(page, `halted-${suffix}`);
    await agent.kill();
    await expect(page.getByRole('button', { name: 'Try now' })).toBeVisible();
    await look(page, `offline-${suffix}`);
  });
}
