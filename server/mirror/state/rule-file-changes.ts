// Tracks changes of rule files (ignore and access rules) that were not made in the folder, to show them for a while
// (docs/sync-rules.md#17). Reads the history; decides nothing.
import type { MirroredWorkspace } from './scoped-workspace.ts';
import type { MirrorTrees } from './trees.ts';

/** So long a change is shown. */
const shownMs = 7 * 86_400_000;

export interface RuleChange {
  readonly path: string;
  readonly by: string;
  readonly atMs: number;
}

export interface RuleChangeParts {
  readonly trees: Pick<MirrorTrees, 'ruleFiles' | 'baseAt'>;
  readonly workspaces: Pick<MirroredWorkspace, 'history'>;
  readonly workspaceId: string;
}

export class RuleChanges {
  readonly #parts: RuleChangeParts;
  /** Path -> the revision that was read; null: it is gone. */
  readonly #seen = new Map<string, number | null>();
  readonly #changes = new Map<string, RuleChange>();

  constructor(parts: RuleChangeParts) {
    this.#parts = parts;
  }

  /** In the order of paths. */
  recent(nowMs: number): readonly RuleChange[] {
    return [...this.#changes.values()]
      .filter(({ atMs }) => nowMs - atMs < shownMs)
      .sort((left, right) => (left.path < right.path ? -1 : 1));
  }

  /** Called when both sides are up to date. */
  async look(): Promise<void> {
    const { trees } = this.#parts;
    for (const path of new Set([...trees.ruleFiles, ...this.#seen.keys()])) {
      const revision = trees.baseAt(path)?.revision ?? null;
      if (this.#seen.get(path) === revision) continue;
      this.#seen.set(path, revision);
      await this.#lookAt(path);
    }
  }

  async #lookAt(path: string): Promise<void> {
    const { workspaces, workspaceId } = this.#parts;
    const [last] = await workspaces.history(workspaceId, path, 1, null);
    if (last === undefined || last.actor.kind === 'mirror') this.#changes.delete(path);
    else this.#changes.set(path, { path, by: last.actor.name, atMs: last.atMs });
  }
}
