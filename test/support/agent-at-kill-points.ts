// The whole agent as a process that ends itself, as by kill -9, at the nth time that it reaches a named point, or to which a fault
// happens there at each of the first n times. Everything else is `mooring serve`: same composition root, real clock, real store.
// Run with: DATA_DIR POINT TIMES [fault] (POINT `none`: never). A line `{"point":…,"times":…}` on its standard input arms it while
// it runs; it answers with a line.
import { createInterface } from 'node:readline';
import { Agent } from '../../server/agent.ts';
import { loadConfig } from '../../server/platform/config/config.ts';

const [dataDir = '', firstPoint = 'none', times = '1', what = 'kill'] = process.argv.slice(2);
const envelopeAttempts = 2;
const loaded = loadConfig({
  flags: {
    dataDir,
    listen: '127.0.0.1:0',
    ui: false,
    logLevel: 'error',
    // A fault at each try is soon the last one.
    ...(what === 'fault' ? { envelopeAttempts } : {}),
  },
  environment: { platform: process.platform, env: {}, homeDir: '/nonexistent' },
});
if (!loaded.ok) throw new Error(JSON.stringify(loaded.errors));
let point = firstPoint;
let left = Number(times);
const agent = new Agent(loaded.config, {
  atKillPoint(reached) {
    if (reached !== point) return;
    left -= 1;
    if (what === 'fault' && left >= 0) throw new Error(`a fault at ${point}`);
    if (what === 'kill' && left === 0) process.kill(process.pid, 'SIGKILL');
  },
});
process.on('SIGTERM', () => void agent.stop().then(() => process.exit(0)));
createInterface({ input: process.stdin })
  .on('line', (line) => {
    const armed = JSON.parse(line) as { point: string; times: number };
    point = armed.point;
    left = armed.times;
    process.stdout.write(`${JSON.stringify(armed)}\n`);
  })
  // Whoever started it is gone.
  .on('close', () => process.exit(0));
const { url } = await agent.start();
process.stdout.write(`${JSON.stringify({ url, ownerTokenFile: agent.ownerTokenFile })}\n`);
