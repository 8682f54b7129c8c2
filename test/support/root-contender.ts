// A process that wants the lock of a mirrored folder, says on stdout who else has it (null: it has), and keeps it until it is killed
// or its stdin ends.
import { MirrorRoots } from '../../server/mirror/manager/roots.ts';
import { createLogger } from '../../server/platform/observe/logger.ts';

const [, , root = '', dataDir = ''] = process.argv;
const roots = new MirrorRoots({
  dataDir,
  logger: createLogger({ level: 'silent' }),
  cloudMachine: { platform: process.platform, home: dataDir, env: {} },
  mirroredDirs: () => [],
});
process.stdout.write(`${JSON.stringify({ pid: process.pid, holder: await roots.lock(root) })}\n`);
process.stdin.on('end', () => {
  roots.release(root, false);
  process.exit(0);
});
process.stdin.resume();
