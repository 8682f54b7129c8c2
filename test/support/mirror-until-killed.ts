// A process that runs a rig's mirror and kills itself at a named point, as a power cut would: nothing is closed, nothing flushed.
// Arguments: the rig's base directory, the workspace, the point, and the fork whose mirror it is, if any.
import type { KillPoint } from '../../server/mirror/state/context.ts';
import { MirrorHarness } from './mirror-harness.ts';

const [base, workspaceId, point, forkId] = process.argv.slice(2) as [string, string, KillPoint, string?];
const rig = new MirrorHarness(base);
rig.workspaceId = workspaceId;
await rig.start({
  atKillPoint: (reached) => {
    if (reached === point) process.kill(process.pid, 'SIGKILL');
  },
});
const limit = { timeoutMs: 20_000 };
const outcome = await (forkId === undefined
  ? rig.manager.settle(limit)
  : rig.manager.ofForks.settle(forkId, limit));
await rig.stop();
process.exitCode = outcome?.settled === true ? 0 : 1;
