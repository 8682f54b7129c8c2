// Job 1: am I in sync? Overview says in one line what waits for a person, each with its workspace and one action.
import { chmodSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from './fixtures.ts';
import { look } from './look.ts';
import { UiAgent } from './ui-agent.ts';

const files = 2_000;

async function haltedMirror(agent: UiAgent): Promise<void> {
  const dir = agent.folder('desk');
  for (let index = 0; index < files; index += 1) writeFileSync(path.join(dir, `${index}.md`), 'x\n');
  const { workspaceId } = await agent.mirror('desk', dir);
  const [mirror] = await agent.client.mirrors.list(workspaceId);
  await agent.client.mirrors.pause(workspaceId, mirror?.mirrorId ?? '');
  for (const name of readdirSync(dir)) if (name.endsWith('.md')) rmSync(path.join(dir, name));
  await agent.client.mirrors.resume(workspaceId, mirror?.mirrorId ?? '');
  const state = async () => (await agent.client.mirrors.list(workspaceId))[0]?.state;
  await expect.poll(state, { timeout: 60_000 }).toBe('halted');
}

async function deadLetter(agent: UiAgent): Promise<string> {
  const { workspaceId } = await agent.client.workspaces.create({ name: 'inbox' });
  const event = { provider: 'slack', event_type: 'file.updated', path: '/slack/../a.md' };
  await agent.client.sync.ingestWebhook(workspaceId, { ...event, data: { content: 'x' } });
  const total = async () => (await agent.client.sync.deadLetters.list(workspaceId)).items.length;
  await expect.poll(total).toBe(1);
  return workspaceId;
}

/** A workspace whose server is gone while a change waits. */
async function offlineRemote(agent: UiAgent): Promise<void> {
  const server = new UiAgent();
  await server.start();
  try {
    const { workspaceId: remoteWorkspaceId } = await server.client.workspaces.create({ name: 'team' });
    const { token } = await server.client.tokens.create(remoteWorkspaceId, { agent: 'maria' });
    const tokenFile = path.join(agent.folder('token'), 'token');
    writeFileSync(tokenFile, token);
    chmodSync(tokenFile, 0o600);
    const { workspaceId } = await agent.client.workspaces.create({ name: 'team' });
    await agent.client.remotes.add(workspaceId, { url: server.url, remoteWorkspaceId, tokenFile });
    const remote = async () => (await agent.client.remotes.list(workspaceId))[0];
    await expect.poll(async () => (await remote())?.state).toBe('idle');
    await server.kill();
    await agent.client.writeFile(workspaceId, '/waits.md', 'x\n');
    await expect
      .poll(async () => [(await remote())?.state, (await remote())?.pendingLocal], { timeout: 30_000 })
      .toEqual(['offline', 1]);
  } finally {
    await server.dispose();
  }
}

test('what needs a person is first, one line each, and above the fold at 760x560', async ({
  page,
  agent,
  signIn,
}) => {
  await haltedMirror(agent);
  await offlineRemote(agent);
  await page.setViewportSize({ width: 760, height: 560 });
  await signIn();
  const beganMs = performance.now();
  const region = page.getByRole('region', { name: 'Needs you' });
  const rows = region.getByRole('listitem');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('1 mirror halted. Nothing was deleted.');
  await expect(rows).toHaveCount(2);
  console.log(`job 1, what needs a person: ${Math.round(performance.now() - beganMs)} ms`);
  const workspaceId = await deadLetter(agent);
  await expect(rows).toHaveCount(3);
  await expect(rows.nth(0)).toContainText('Halted');
  await expect(rows.nth(1)).toContainText('1 dead letter');
  await expect(rows.nth(2)).toContainText('1 change waits here.');
  for (const row of await rows.all()) {
    await expect(row.locator('a, button')).toBeInViewport({ ratio: 1 });
    expect((await row.boundingBox())?.height).toBeLessThanOrEqual(40);
  }
  await look(page, 'overview-needs-you');
  await page.setViewportSize({ width: 760, height: 560 });
  await region.getByRole('button', { name: 'Decide… in desk' }).press('Enter');
  const card = page.getByRole('article', { name: 'desk: Halted' });
  await expect(card).toBeFocused();
  await expect(card.getByRole('button', { name: 'Show files' })).toBeInViewport();
  await page.getByRole('link', { name: 'Repair in inbox' }).press('Enter');
  await expect(page).toHaveURL(new RegExp(`#dead-letters(/[^?]*)?\\?workspace=${workspaceId}`));
  await page.goBack();
  await page.getByRole('link', { name: 'Open remote in team' }).click();
  await expect(page).toHaveURL(/#remotes/);
});

test('when nothing waits, the card says so and stays', async ({ page, agent, signIn }) => {
  await agent.mirror('notes');
  await signIn();
  await expect(page.getByRole('region', { name: 'Needs you' })).toHaveText(/Nothing waits for you\./);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Up to date');
});
