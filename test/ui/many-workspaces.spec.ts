// More workspaces than the page follows or asks at the same time: each is found, and the one that is viewed is live.
import { streamsMax } from '../../renderer/api/live-feed.ts';
import { dataRows } from './data-rows.ts';
import { expect, ownAgent, test } from './fixtures.ts';

test(
  'among many workspaces the last is searched, and its files are live',
  ownAgent,
  async ({ page, agent, signIn }) => {
    const { client } = agent;
    const ids: string[] = [];
    for (let number = 0; number < streamsMax + 4; number += 1) {
      const { workspaceId } = await client.workspaces.create({ name: `team-${number}` });
      await client.writeFile(workspaceId, `/plans/plan-${number}.md`, `Plan number ${number}.\n`);
      ids.push(workspaceId);
    }
    const { workspaces } = await client.agent.status();
    const last = workspaces.at(-1)?.workspaceId ?? '';
    const number = ids.indexOf(last);
    await signIn();

    await page.keyboard.press('Control+k');
    await page.keyboard.type(`plan-${number}.md`);
    const found = page.getByRole('group', { name: 'Files' }).getByRole('option');
    await expect(found.first()).toContainText(`plan-${number}.md`);
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(new RegExp(`workspace=${last}`));

    // An id says nothing of its workspace: all are asked.
    const { opId } = await client.writeFile(last, '/plans/by-id.md', 'x\n');
    await page.keyboard.press('Control+k');
    await page.keyboard.type(opId);
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(new RegExp(`#operations/${opId}.*workspace=${last}`));
    await client.deleteFile(last, '/plans/by-id.md');
    await page.goto(`${agent.url}/#files/plans/?workspace=${last}`);

    const rows = dataRows(page.getByRole('grid', { name: 'Files in /plans' }));
    await expect(rows).toHaveCount(1);
    await client.writeFile(last, '/plans/second.md', 'Written while it is viewed.\n');
    await expect(rows).toHaveCount(2);

    // A workspace that was viewed before, and has changed since: its list was not live meanwhile.
    const other = workspaces.at(-2)?.workspaceId ?? '';
    await page.goto(`${agent.url}/#files/plans/?workspace=${other}`);
    await expect(rows).toHaveCount(1);
    await client.writeFile(other, '/plans/second.md', 'Written while it is viewed.\n');
    await expect(rows).toHaveCount(2);
    await client.writeFile(last, '/plans/third.md', 'Written while another is viewed.\n');
    await page.goto(`${agent.url}/#files/plans/?workspace=${last}`);
    await expect(rows).toHaveCount(3);
  },
);
