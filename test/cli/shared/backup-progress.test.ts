// The progress of a backup measures what the agent copies: the same files, with large contents beside the database.
import path from 'node:path';
import { expect, it, vi } from 'vitest';
import { copiedBytes } from '../../../server/cli/shared/backup-progress.ts';
import { startAgent } from '../../support/agent-process.ts';
import { freshWorkspace, ownerClient } from '../../support/client-of.ts';
import { tempFolder } from '../../support/temp-folder.ts';

vi.setConfig({ testTimeout: 300_000 });

it('expects about as many bytes as a backup has', async () => {
  const agent = await startAgent();
  const { client, workspaceId } = await freshWorkspace(agent);
  const large = Array.from({ length: 200_000 }, (_, index) => index).join(' ');
  await client.writeFile(workspaceId, '/large.txt', large);
  const { bytes } = await ownerClient(agent).agent.backup(path.join(tempFolder('mooring-backup'), 'b'));
  expect(bytes).toBeGreaterThan(large.length);
  // The rest of the database is in its log until it is written back.
  expect((await copiedBytes(agent.dataDir)) / bytes).toBeGreaterThan(0.5);
  expect((await copiedBytes(agent.dataDir)) / bytes).toBeLessThan(2);
});
