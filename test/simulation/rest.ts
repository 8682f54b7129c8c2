// The end of a run before it is judged: what no mirror can hold is taken away, and then the mirror must come to rest.
import type { AgentLives } from './agent-lives.ts';
import type { Inode } from './disk.ts';
import { hasProblems } from './listed-problems.ts';
import { rootPath, type Scene } from './scene.ts';

/** Longer than the longest pause between two full scans of a small folder, and than most retries. */
const restMs = 200_000;
const restMsMax = 3_600_000;

export function removeLinks(scene: Scene): void {
  const { disk, ledger, root } = scene;
  const removeBelow = (path: string, directory: Inode) => {
    for (const [name, inode] of [...directory.entries]) {
      if (inode.kind === 'symlink') disk.unlink(`${path}/${name}`);
      if (inode.kind === 'directory') removeBelow(`${path}/${name}`, inode);
    }
  };
  const seen = scene.folder();
  removeBelow(rootPath, root);
  disk.syncNames();
  ledger.byPerson(seen, scene.folder(), scene.workspace(), 'folder');
}

/** In half of the runs somebody asks for rest; in the others it must come by itself. */
export function comeToRest(scene: Scene, agent: AgentLives): { isOver: () => boolean } {
  const { scheduler, ledger, options } = scene;
  const beganMs = scheduler.monotonicMs;
  const asks = options.hintsLostOneIn === 0 || scheduler.chance(2);
  let settled = false;
  const ask = () => {
    agent.now?.loop.waitUntilSynced(new AbortController().signal).then(
      (answer) => {
        settled = answer && !hasProblems(scene, agent);
        if (!settled) scheduler.at(1000, 'asks again', ask);
      },
      (error: unknown) => ledger.violate('A5', `settle failed: ${String(error)}`),
    );
  };
  if (asks) ask();
  return {
    isOver: () => {
      const restedMs = scheduler.monotonicMs - beganMs;
      if (restedMs > restMsMax) {
        ledger.violate('A5', 'it is not at rest after an hour');
        return true;
      }
      if (asks) return settled;
      return restedMs > restMs && !hasProblems(scene, agent) && agent.now?.loop.state === 'idle';
    },
  };
}
