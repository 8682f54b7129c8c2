// What the store writes is for its owner's eyes.
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { startHttpAgent } from '../support/http-agent.ts';

test.runIf(process.platform !== 'win32')(
  'the database and its log are readable by their owner alone',
  async () => {
    const agent = await startHttpAgent();
    await agent.workspaces.create({ name: 'Any' });
    const files = readdirSync(agent.dataDir).filter((name) => name.startsWith('mooring.db'));
    expect(files).toContain('mooring.db-wal');
    for (const name of files)
      expect([name, statSync(path.join(agent.dataDir, name)).mode & 0o777]).toEqual([name, 0o600]);
  },
);
