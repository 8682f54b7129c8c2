// A process that opens a data directory as the agent does, reports the result on stdout, and stays until it is killed or its stdin ends.
import { openDataDir } from '../../server/agent/data-dir.ts';
import { describeStartFailure } from '../../server/agent/start-failure.ts';
import { systemClock } from '../../server/platform/clock.ts';
import { createLogger } from '../../server/platform/observe/logger.ts';

const [, , dataDir = '', waitForGo] = process.argv;
if (waitForGo === 'wait') {
  process.stdout.write('ready\n');
  await new Promise((resolve) => process.stdin.once('data', resolve));
}
const config = {
  dataDir,
  historyDays: 30,
  historyRevisionsMin: 20,
  historyBytes: 1024 ** 3,
  externalWriteback: 'auto',
} as const;
const store = await openDataDir(config, systemClock, createLogger({ level: 'silent' })).catch(
  async (error: unknown) => {
    process.stdout.write(`${String(await describeStartFailure(dataDir, error))}\n`);
    process.exit(1);
  },
);
process.stdout.write('opened\n');
process.stdin.on('end', async () => {
  await store.close();
  process.exit(0);
});
process.stdin.resume();
