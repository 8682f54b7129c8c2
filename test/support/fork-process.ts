// A process that makes forks, writes to them and commits them until it is killed. It prints what the store has acknowledged: each
// write in a fork, then each commit. Started by test/store/fork-crash.test.ts with the data directory and the number of its round.
import { writeSync } from 'node:fs';
import { inlineBytesMax } from '../../server/store/contents/blob-files.ts';
import { openStore } from '../../server/store/open.ts';

const callers = 3;
const filesOfCommit = 4;
const [dataDir = '', round = ''] = process.argv.slice(2);
const workspaceId = 'rw_forks001';
const actor = { kind: 'system', name: 'crash', tokenId: null } as const;
const store = await openStore({
  dataDir,
  logger: {
    info: () => undefined,
    warn: () => undefined,
    error: (details, message) => console.error(message, details),
  },
  clock: { nowMs: () => Date.now() },
  settings: { historyDays: 30, historyRevisionsMin: 20, externalWriteback: 'auto' },
});
await store.workspaces.create({ workspaceId, name: 'crash', createdAtMs: Date.now() });

async function commitOn(caller: number): Promise<never> {
  for (let number = 0; ; number += 1) {
    const text = `${round}-${caller}-${number}`;
    const forkId = `fork_${text}`;
    const made = await store.content.createFork({
      workspaceId,
      forkId,
      proposalId: text,
      createdBy: 'crash',
      creatorTokens: [],
      expiresAtMs: Date.now() + 3_600_000,
    });
    if (made.kind !== 'open') throw new Error(made.kind);
    // Every third is large, so that files and rows are both on their way when the end comes.
    const bytes = Buffer.from(text.padEnd(text.length + (number % 3 === 0 ? inlineBytesMax : 0), '.'));
    for (let file = 0; file < filesOfCommit; file += 1) {
      const path = `/c${caller}/f${file}`;
      const result = await store.content.changeFork({
        workspaceId,
        forkId,
        actor,
        access: null,
        correlationId: text,
        changes: [
          {
            kind: 'write_file',
            path,
            precondition: { kind: 'any' },
            content: await store.content.stage(bytes),
            defaultContentType: 'text/plain',
            encoding: 'utf-8',
          },
        ],
      });
      if (result.kind !== 'changed' || !result.results[0]?.ok) throw new Error('the write was refused');
      writeSync(1, `${JSON.stringify({ kind: 'staged', caller, forkId, path, text })}\n`);
    }
    const committed = await store.content.commitFork({
      workspaceId,
      forkId,
      actor,
      access: null,
      correlationId: text,
    });
    if (committed.kind !== 'committed') throw new Error(committed.kind);
    writeSync(1, `${JSON.stringify({ kind: 'committed', caller, forkId, path: '', text })}\n`);
    if (number % 5 === 4) await store.maintenance.applyRetention(Date.now());
  }
}

await Promise.all(Array.from({ length: callers }, (_, caller) => commitOn(caller)));
