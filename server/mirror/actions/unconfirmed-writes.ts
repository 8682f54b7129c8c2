// Tracks folder changes whose journal rows are still open because the agent was killed or the disk failed to sync them. Once the
// folder shows them they become part of the base, so that the next change of the workspace does not meet an unknown file
// (docs/sync-rules.md#9).
import { ancestorsOf } from '../../core/paths/path.ts';
import type { BaseRow, JournalRow } from '../../store/port/store.ts';
import type { SyncContext } from '../state/context.ts';
import { baseRow } from '../state/trees.ts';

/** Kept revisions of a path among which its content is looked for; retention keeps at least as many. */
const revisionsMax = 20;

export class UnconfirmedWrites {
  readonly #context: SyncContext;
  /** What a crash left; its temporary files are gone. */
  #crashed: readonly JournalRow[] = [];
  /** What the disk did not finish while the mirror ran. */
  #unfinished: readonly JournalRow[] = [];
  /** The same, and the folder has not been scanned since. */
  #fresh: readonly JournalRow[] = [];

  constructor(context: SyncContext) {
    this.#context = context;
  }

  /** Rows that a crash left, when the journal has been replayed. */
  crashed(rows: readonly JournalRow[]): void {
    this.#crashed = rows;
  }

  /** Rows of an operation that the disk could not finish just now. */
  unfinished(rows: readonly JournalRow[]): void {
    this.#fresh = [...this.#fresh, ...rows];
  }

  /** The folder was scanned: what is still not durable there is unsettled from now on. */
  scanned(): void {
    if (this.#fresh.length === 0) return;
    this.#unfinished = [...this.#unfinished, ...this.#fresh];
    this.#fresh = [];
  }

  /** Before anything is planned, when both sides have been read. A path in motion waits. */
  async note(isUnsettled: (path: string) => boolean): Promise<void> {
    // A path below an entry in motion is not known either: the disk only shows that the entry exists.
    const isMoving = (path: string) => isUnsettled(path) || ancestorsOf(path).some(isUnsettled);
    const isSeen = ({ path }: JournalRow) => !isMoving(path) && !this.#isHidden(path);
    const unfinished = this.#unfinished.filter(isSeen);
    const seen = [...this.#crashed.filter(isSeen), ...unfinished];
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
    this.#crashed = this.#crashed.filter((row) => !seen.includes(row));
    this.#unfinished = this.#unfinished.filter((row) => !seen.includes(row));
    const temporaries = unfinished.flatMap(temporaryOf);
    await Promise.all([
      ...(temporaries.length === 0 ? [] : [store.mirrors.beginIntents({ mirrorId, rows: temporaries })]),
      store.mirrors.saveBase({ mirrorId, upserts, removals }),
      store.mirrors.endIntents({ mirrorId, ids: seen.map(({ id }) => id) }),
    ]);
  }

  /** The disk does not show right now what is there: whether it was done is not known before it does. */
  #isHidden(path: string): boolean {
    const { trees } = this.#context;
    const local = trees.localAt(path);
    return (local?.kind === 'blocked' && local.reason === 'unreadable') || trees.isUnreadable(path);
  }

  /** null: it was not done, the file was changed since, or it is agreed on already. */
  async #agreedOf({ path, hash }: JournalRow): Promise<BaseRow | null> {
    const { trees, workspaces, workspaceId } = this.#context;
    const local = trees.localAt(path);
    if (local?.kind !== 'file' || local.hash !== hash || trees.baseAt(path)?.hash === hash) return null;
    const revisions = await workspaces.history(workspaceId, path, revisionsMax, null);
    const brought = revisions.find((revision) => revision.hash === hash);
    return brought === undefined ? null : baseRow(path, local, brought.revision);
  }
}

/** A temporary file may be left of it; only a journal row reports it to the next start. */
function temporaryOf({ path, tempName }: JournalRow): readonly Omit<JournalRow, 'id'>[] {
  return tempName === null ? [] : [{ action: 'put', path, fromPath: null, tempName, hash: null }];
}
