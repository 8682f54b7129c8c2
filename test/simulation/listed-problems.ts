// Which problems the mirror rightly lists at the end of a run: names that this disk has no room for beside another spelling.
import { ancestorsOf } from '../../server/core/paths/path.ts';
import type { AgentLives } from './agent-lives.ts';
import { foldOf, type Inode } from './disk.ts';
import type { Scene } from './scene.ts';

/** Problems that time alone must end. */
export function hasProblems(scene: Scene, agent: AgentLives): boolean {
  const problems = [...(agent.now?.loop.session?.problems.list() ?? [])];
  if (problems.length === 0) return false;
  const files = scene.workspace();
  return problems.some(({ path, failure }) => {
    if (failure.kind !== 'collision' || !isTaken(scene.root, path)) return true;
    // What stands above or below it in the workspace is planned together with it, when its time has come.
    return (
      ancestorsOf(path).some((at) => files.has(at)) ||
      [...files.keys()].some((at) => at.startsWith(`${path}/`))
    );
  });
}

/** Listed as having no name of their own on this disk, and rightly so. */
export async function heldBack(scene: Scene, agent: AgentLives): Promise<ReadonlySet<string>> {
  const listed = (await agent.now?.loop.view())?.problemList ?? [];
  return new Set(
    listed
      .filter(({ kind, path }) => kind === 'collision' && isTaken(scene.root, path))
      .map(({ path }) => path),
  );
}

/** Does something in the folder have this name, or that of a directory above, in another spelling? */
function isTaken(root: Inode, path: string): boolean {
  let directory: Inode | undefined = root;
  for (const name of path.slice(1).split('/')) {
    const names: readonly string[] = [...(directory?.entries.keys() ?? [])];
    if (names.some((other) => other !== name && foldOf(other) === foldOf(name))) return true;
    directory = directory?.entries.get(name);
  }
  return false;
}
