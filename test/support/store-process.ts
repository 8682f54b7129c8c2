// A process that writes to a store until it is killed, and prints each path with its revision and text once the store has
// acknowledged it. Started by test/store/crash.test.ts with the data directory and the number of its round.
import { writeSync } from 'node:fs';
import { inlineBytesMax } from '../../server/store/contents/blob-files.ts';
import { openStore } from '../../server/store/open.ts';

const callers = 4;
const [dataDir = '', round = ''] = process.argv.slice(2);
const workspaceId = 'rw_crash001';
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

async function writeOn(caller: number): Promise<never> {
  for (let number = 0; ; number += 1) {
    const path = `/c${caller}/f${number % 20}`;
    const text = `${round}-${caller}-${number}`;
    // Every seventh is large, so that files and rows are both on their way when the end comes.
    const padding = number % 7 === 0 ? inlineBytesMax : 0;
    const [result] = await store.content.change({
      kind: 'change_files',
      workspaceId,
      atomic: false,
      actor: { kind: 'system', name: 'crash', tokenId: null },
      origin: 'system',
      access: null,
      correlationId: text,
      makesOperations: true,
      changes: [
        {
          kind: 'write_file',
          path,
          precondition: { kind: 'any' },
          content: await store.content.stage(Buffer.from(text.padEnd(text.length + padding, '.'))),
          defaultContentType: 'text/plain',
          encoding: 'utf-8',
        },
      ],
    });
    if (result?.ok !== true) throw new Error('the write was refused');
    writeSync(1, `${JSON.stringify({ path, revision: result.revision, text })}\n`);
  }
}

await Promise.all(Array.from({ length: callers }, (_, caller) => writeOn(caller)));
