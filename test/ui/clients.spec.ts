// Who is at work, on the overview.
import { MooringClient } from '../../sdk/index.ts';
import { expect, ownAgent, test } from './fixtures.ts';
import { look } from './look.ts';

test('programs are listed while they work, with what they do', ownAgent, async ({ page, agent, signIn }) => {
  const { workspaceId } = await agent.mirror('notes');
  await signIn();
  await page.goto(`${agent.url}/#overview`);
  const card = page.getByRole('region', { name: 'Active clients' });
  await expect(card).toContainText('No active clients.');
  const { token } = await agent.client.tokens.create(workspaceId, { agent: 'agent-docs' });
  const program = new MooringClient({ baseUrl: agent.url, token });
  await program.writeFile(workspaceId, '/a.md', 'a\n');
  await program.readFile(workspaceId, '/a.md');
  const stream = program.subscribe(workspaceId, { from: 'now', onEvent: () => undefined });
  await expect(card).toContainText('agent-docs');
  await expect(card).toContainText('1 write, 1 open stream');
  await look(page, 'overview-clients');
  stream.close();
  await expect(card).not.toContainText('open stream');
});
