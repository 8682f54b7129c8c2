// When an agent at the workspace, or at the fork that the folder shows, does something: after a thought, and only while there is
// somebody to answer it.
import type { ChangeResult, FileChange } from '../../server/core/change/change.ts';
import type { ForkChange } from '../../server/core/change/forks.ts';
import type { FileEntry } from '../../server/core/entry.ts';
import { getCheckedInFork } from '../../server/store/tables/forks/reads.ts';
import type { ForkFileChange } from '../../server/workspaces/fork-changes.ts';
import type { AgentLives } from './agent-lives.ts';
import { workspaceAct } from './people.ts';
import { type Scene, workspaceId } from './scene.ts';

const by = {
  actor: { kind: 'system', name: 'an agent', tokenId: null },
  access: null,
  correlationId: 'simulated',
} as const;

export class WorkspaceMoves {
  readonly #scene: Scene;
  readonly #agent: AgentLives;
  #left: number;
  #unanswered = 0;

  constructor(scene: Scene, agent: AgentLives) {
    this.#scene = scene;
    this.#agent = agent;
    this.#left = scene.options.workspaceActs;
  }

  get isDone(): boolean {
    return this.#left === 0 && this.#unanswered === 0;
  }

  /** Goes on until everything that was planned is done. */
  think(): void {
    if (this.#left === 0) return;
    const { scheduler, random, options } = this.#scene;
    scheduler.at(random.pick(options.thinkMs), 'an agent thinks', () => {
      if (this.#agent.now !== null) this.act();
      this.think();
    });
  }

  act(): void {
    this.#left = Math.max(0, this.#left - 1);
    const { scheduler, random, contents, paths, store, ledger, forkId } = this.#scene;
    const seen = this.#scene.workspace();
    const { what, changes } = workspaceAct(seen, random, contents, paths);
    this.#scene.say(`an agent ${what}`);
    if (changes.length === 0) return;
    const atMs = Math.floor(scheduler.wallMs);
    if (forkId === null) {
      const more = { origin: 'agent_write', makesOperations: true } as const;
      const input = {
        kind: 'change_files',
        workspaceId,
        changes,
        atomic: true,
        ...by,
        ...more,
        atMs,
      } as const;
      store.commit({ name: 'change_files', input });
    } else this.#stage(forkId, changes, atMs);
    ledger.byPerson(seen, this.#scene.workspace(), this.#scene.folder(), 'workspace');
  }

  #stage(forkId: string, wanted: readonly FileChange[], atMs: number): void {
    const changes = wanted.flatMap((change) => this.#inFork(forkId, change));
    const { store } = this.#scene;
    const input = { workspaceId, forkId, changes, atomic: true, ...by, atMs };
    const outcome = store.commit({ name: 'change_fork', input }) as { results: readonly ChangeResult[] };
    const applied = changes.flatMap((change, index): readonly ForkFileChange[] => {
      const result = outcome.results[index];
      if (result?.ok !== true) return [];
      if (change.kind === 'delete_file') return [{ path: change.path, file: null }];
      return [{ path: change.path, file: { revision: result.revision, hash: change.content.hash } }];
    });
    // The service records what the store has answered, in the order of its commits; an answer before this one may be under way.
    this.#unanswered += 1;
    this.#scene.scheduler.post('answers', 'to the agent', () => {
      this.#unanswered -= 1;
      this.#agent.now?.forks.changes.record(forkId, applied);
    });
  }

  /** A fork has no moves. */
  #inFork(forkId: string, change: FileChange): readonly ForkChange[] {
    if (change.kind === 'write_file' || change.kind === 'delete_file') return [change];
    if (change.kind !== 'move_file') throw new Error(`an agent makes no ${change.kind}`);
    const entry = this.#fileAt(forkId, change.from);
    if (entry === null || change.from === change.to) return [];
    const { hash, sizeBytes, contentType, encoding } = entry;
    return [
      {
        kind: 'write_file',
        path: change.to,
        precondition: { kind: 'any' },
        content: { hash, sizeBytes, staged: true },
        defaultContentType: contentType,
        encoding,
      },
      { kind: 'delete_file', path: change.from, precondition: { kind: 'any' } },
    ];
  }

  #fileAt(forkId: string, path: string): FileEntry | null {
    const { entry } = getCheckedInFork(this.#scene.store.statements, forkId, path, null);
    return entry?.type === 'file' ? entry : null;
  }
}
