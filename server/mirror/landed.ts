// What a crash left unnoted: operations whose intents stand open although the folder shows that they were done. They become what
// was agreed on, so that the workspace's next change is not met by a file that looks like somebody's own (sync-engine rule 9).
import type { BaseRow, JournalRow } from '../store/port.ts';
import type { SyncContext } from './context.ts';
import { baseRow } from './trees.ts';

/** Kept revisions of a path among which its content is looked for; retention keeps at least as many. */
const revisionsMax = 20;

export class Landed {
  readonly #context: SyncContext;
  #open: readonly JournalRow[] = [];

  constructor(context: SyncContext) {
    this.#context = context;
  }

  /** Rows of the journal that wait to be compared with the folder. */
  expect(rows: readonly JournalRow[]): void {
    this.#open = rows;
  }

  /** Before anything is planned, when both sides have been looked at. What is in motion waits for its time. */
  async note(isUnsettled: (path: string) => boolean): Promise<void> {
    const seen = this.#open.filter(({ path }) => !isUnsettled(path));
    if (seen.length === 0) return;
    const { mirrorId, store, trees } = this.#context;
    const upserts: BaseRow[] = [];
    const removals: string[] = [];
    for (const row of seen) {
      if (row.action === 'remove' && trees.localAt(row.path) === null) {
        trees.agree(row.path, null);
        removals.push(row.path);
      } else if (row.action === 'put') {
        const agreed = await this.#agreedOf(row);
        if (agreed === null) continue;
        trees.agree(row.path, agreed);
        upserts.push(agreed);
      }
    }
    this.#open = this.#open.filter((row) => !seen.includes(row));
    await Promise.all([
      store.mirrors.saveBase(mirrorId, upserts, removals),
      store.mirrors.endIntents(
        mirrorId,
        seen.map(({ id }) => id),
      ),
    ]);
  }

  /** null: it was not done, somebody changed it since, or it is agreed on already. */
  async #agreedOf({ path, hash }: JournalRow): Promise<BaseRow | null> {
    const { trees, workspaces, workspaceId } = this.#context;
    const local = trees.localAt(path);
    if (local?.kind !== 'file' || local.hash !== hash || trees.baseAt(path)?.hash === hash) return null;
    const revisions = await workspaces.history(workspaceId, path, revisionsMax, null);
    const brought = revisions.find((revision) => revision.hash === hash);
    return brought === undefined ? null : baseRow(path, local, brought.revision);
  }
}
