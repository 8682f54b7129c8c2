// The writer's thread of a hub's process. Its groups exclude those of all other processes (write-statements.ts, `begin`).
import { parentPort, workerData } from 'node:worker_threads';
import type { AgentConfig } from '../../platform/config/config.ts';
import { bytesOf } from '../database/rows.ts';
import type { LinkEnd } from '../port/access.ts';
import { SharedChangeCounters } from '../writer/change-counters.ts';
import { createCommandHandlers } from '../writer/command-handlers.ts';
import { serveCommands } from '../writer/serve-commands.ts';
import { PostgresWriteStatements } from './write-statements.ts';

export interface HubWriterSettings {
  readonly link: LinkEnd;
  readonly externalWriteback: AgentConfig['externalWriteback'];
  readonly slowMs: number;
}

function serve(): void {
  if (parentPort === null) throw new Error('the writer runs only as a worker thread');
  const { link, externalWriteback, slowMs } = workerData as HubWriterSettings;
  const statements = new PostgresWriteStatements(
    link,
    () => crypto.randomUUID(),
    () => Date.now(),
  );
  const isStaged = (hash: string) =>
    statements.get('SELECT 1 FROM contents WHERE hash = ?', bytesOf(hash)) !== undefined;
  const deps = createCommandHandlers(
    statements,
    externalWriteback,
    isStaged,
    new SharedChangeCounters(),
    'write too',
  );
  serveCommands(parentPort, deps, {
    slowMs,
    committed: () => undefined,
    close: () => statements.close(),
  });
}

serve();
