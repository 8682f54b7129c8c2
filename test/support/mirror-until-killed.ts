// A process that runs a rig's mirror and kills itself at a named point, as a power cut would: nothing is closed, nothing flushed.
// Arguments: the rig's base directory, the workspace, the point.
import type { KillPoint } from '../../server/mirror/state/context.ts';
import { MirrorHarness } from './mirror-harness.ts';

const [base, workspaceId, point] = process.argv.slice(2) as [string, string, KillPoint];
const rig = new MirrorHarness(base);
rig.workspaceId = workspaceId;
await rig.start({
  atKillPoint: (reached) => {
    if (reached === point) process.kill(process.pid, 'SIGKILL');
  },
});
const { settled } = await rig.manager.settle({ timeoutMs: 20_000 });
await rig.stop();
process.exitCode = settled ? 0 : 1;
