// Which paths changed in the local workspace: a comparison with the base at the start, afterwards the workspace's feed. It decides
// nothing: a path is only marked.
import { comparePaths } from '../../core/paths/path.ts';
import type { LocalContext } from '../state/context.ts';
import { metadataText } from '../state/metadata.ts';

const pageRows = 1_000;

export class LocalChanges {
  /** The position in the feed up to which changes are marked; null: everything must be compared. */
  #position: number | null = null;

  /** The position up to which everything is marked. */
  get position(): number {
    return this.#position ?? 0;
  }

  /** Compares everything again. */
  restart(): void {
    this.#position = null;
  }

  async mark(context: LocalContext): Promise<void> {
    if (this.#position === null) {
      // Before the comparison, so that no change is missed between them.
      const { last } = await context.store.events.range(context.row.workspaceId);
      await compareWithBase(context);
      this.#position = last;
    }
    await this.#follow(context);
  }

  async #follow({ store, row, covers, dirty, signal }: LocalContext): Promise<void> {
    for (;;) {
      const { last } = await store.events.range(row.workspaceId);
      const { events, more } = await store.events.after(row.workspaceId, this.position, pageRows);
      for (const { type, path } of events) if (type.startsWith('file.') && covers(path)) dirty.add(path);
      this.#position = more ? (events.at(-1)?.seq ?? last) : Math.max(last, events.at(-1)?.seq ?? 0);
      if (!more || signal.aborted) return;
    }
  }
}

/** Marks what the workspace has other than the base. Both come in the order of paths. */
async function compareWithBase(context: LocalContext): Promise<void> {
  const { store, workspaces, row, covers, dirty } = context;
  const files = paged((after) => workspaces.listFiles(row.workspaceId, row.rootPath, after, pageRows));
  const base = paged((after) => store.remotes.listBase(row.remoteId, after ?? '', pageRows));
  let file = await files.next();
  let agreed = await base.next();
  while (file !== null || agreed !== null) {
    const order = file === null ? 1 : agreed === null ? -1 : comparePaths(file.path, agreed.path);
    if (order < 0 && file !== null) {
      if (covers(file.path)) dirty.add(file.path);
      file = await files.next();
    } else if (order > 0 && agreed !== null) {
      if (covers(agreed.path)) dirty.add(agreed.path);
      agreed = await base.next();
    } else if (file !== null && agreed !== null) {
      // Metadata that is agreed on later than the content has the revision of the base already.
      const isAgreed = file.revision === agreed.revision && metadataText(file.semantics) === agreed.metadata;
      if (!isAgreed && covers(file.path)) dirty.add(file.path);
      file = await files.next();
      agreed = await base.next();
    }
  }
}

function paged<Row extends { readonly path: string }>(
  read: (after: string | null) => Promise<readonly Row[]>,
): { next(): Promise<Row | null> } {
  let page: readonly Row[] = [];
  let at = 0;
  let after: string | null = null;
  let ended = false;
  return {
    async next() {
      if (at >= page.length && !ended) {
        page = await read(after);
        at = 0;
        ended = page.length < pageRows;
        after = page.at(-1)?.path ?? after;
      }
      const row = page[at] ?? null;
      at += 1;
      return row;
    },
  };
}
