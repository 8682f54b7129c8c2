// A process that claims a data directory, says on stdout how that went, and stays until it is killed or its stdin ends.
import { claimDataDir } from '../../server/platform/process/instance.ts';

const [, , dataDir = '', waitForGo] = process.argv;
if (waitForGo === 'wait') {
  process.stdout.write('ready\n');
  await new Promise((resolve) => process.stdin.once('data', resolve));
}
const claim = claimDataDir(dataDir);
process.stdout.write(`${JSON.stringify(claim.ok ? { ok: true } : claim)}\n`);
process.stdin.on('end', () => {
  if (claim.ok) claim.instance.release();
  process.exit(0);
});
process.stdin.resume();
