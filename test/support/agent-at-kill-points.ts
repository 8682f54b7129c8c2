// The whole agent as a process that ends itself, as by kill -9, at the nth time that it reaches a named point. Everything else is
// `mooring serve`: same composition root, real clock, real store. Run with: DATA_DIR POINT TIMES (POINT `none`: never).
import { createAgent } from '../../server/agent.ts';
import { loadConfig } from '../../server/platform/config.ts';

const [dataDir = '', point = 'none', times = '1'] = process.argv.slice(2);
const loaded = loadConfig({
  flags: { dataDir, listen: '127.0.0.1:0', ui: false, logLevel: 'error' },
  surroundings: { platform: process.platform, env: {}, homeDir: '/nonexistent' },
});
if (!loaded.ok) throw new Error(JSON.stringify(loaded.errors));
let left = Number(times);
const agent = createAgent(loaded.config, {
  atKillPoint(reached) {
    if (reached !== point) return;
    left -= 1;
    if (left === 0) process.kill(process.pid, 'SIGKILL');
  },
});
process.on('SIGTERM', () => void agent.stop().then(() => process.exit(0)));
const { url } = await agent.start();
process.stdout.write(`${JSON.stringify({ url, ownerTokenFile: agent.ownerTokenFile })}\n`);
