// `RelayfileSetup` of the published SDK of the reference, unmodified, and a folder that a mirror has.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { InvalidLocalDirError } from '@relayfile/sdk';
import { RelayfileSetup } from '@relayfile/sdk/cli';
import { expect, it } from 'vitest';
import { startAgent } from '../support/agent-process.ts';
import { ownerClient } from '../support/client-of.ts';
import { tempFolder } from '../support/temp-folder.ts';

it('takes no folder of a mirror', async () => {
  const agent = await startAgent();
  const setup = new RelayfileSetup({
    cloudApiUrl: agent.url,
    accessToken: agent.ownerToken,
    retry: { maxRetries: 0, baseDelayMs: 1 },
  });
  const handle = await setup.createWorkspace({
    agentName: 'ann',
    scopes: ['fs:read', 'fs:write', 'ops:read'],
  });
  const mirrored = tempFolder('mooring-mirrored');
  await ownerClient(agent).mirrors.add(handle.workspaceId, mirrored);
  const within = setup.mountWorkspace({ workspace: handle, localDir: path.join(mirrored, 'within') });
  await expect(within).rejects.toThrow(InvalidLocalDirError);
  expect(existsSync(path.join(mirrored, 'within'))).toBe(false);
});
