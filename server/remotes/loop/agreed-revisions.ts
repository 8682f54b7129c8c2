// Whether a server without an epoch still has what was agreed on. A server that was set back gives the numbers of the lost revisions to
// other contents, and its feed may know the stored position. So what was agreed on after the position has to be in the events since then,
// with the same contents.
import type { RemoteBaseRow } from '../../store/port/remotes.ts';
import { eventIdOf, numberOf } from '../client/answers.ts';
import type { RemoteEvent } from '../client/remote-server.ts';
import { contentsOmitted, readFilesMax } from '../limits.ts';
import type { RemoteContext } from '../state/context.ts';

/** Pages of events that are searched; beyond them nothing is known. */
const eventPagesMax = 200;

/** The server was set back or replaced: what was agreed on is not true there. */
export class RemoteResetError extends Error {
  override readonly name = 'RemoteResetError';
}

export class AgreedRevisions {
  readonly #context: RemoteContext;
  readonly #cursor: string | null;
  readonly #proven: number | 'all';
  /** `path revision` of the events since the position; null: some are no longer retained. */
  #seen: Promise<ReadonlySet<string> | null> | undefined;

  private constructor(context: RemoteContext, cursor: string | null, proven: number | 'all') {
    this.#context = context;
    this.#cursor = cursor;
    this.#proven = proven;
  }

  /** `cursor`: the position in the feed; null: there is none. */
  static async at(context: RemoteContext, cursor: string | null): Promise<AgreedRevisions> {
    const { server, signal } = context;
    const proven = async (): Promise<number | 'all'> => {
      if (server.epoch !== null) return 'all';
      if (cursor === null) return 0;
      // Retention deleted the position: the feed can prove nothing, and to read every file for that would take too long.
      const event = await server.eventAt(cursor, signal);
      if (event === null) return 'all';
      return numberOf(event.revision, 'rev_') ?? (await server.revisionBefore(cursor, signal)) ?? 0;
    };
    return new AgreedRevisions(context, cursor, await proven());
  }

  /** Something was agreed on after the position. */
  async areUnproven(): Promise<boolean> {
    const { store, row } = this.#context;
    if (this.#proven === 'all') return false;
    const newest = numberOf((await store.remotes.newestRevision(row.remoteId)) ?? '', 'rev_');
    return newest !== null && newest > this.#proven;
  }

  isProven({ remoteRevision }: Pick<RemoteBaseRow, 'remoteRevision'>): boolean {
    if (this.#proven === 'all') return true;
    const number = numberOf(remoteRevision, 'rev_');
    return number !== null && number <= this.#proven;
  }

  /** Rejects with a RemoteResetError where the feed does not have what was agreed on. */
  async confirm(entries: readonly RemoteBaseRow[]): Promise<void> {
    const unproven = entries.filter((entry) => !this.isProven(entry));
    if (unproven.length === 0) return;
    this.#seen ??= this.#eventsSince();
    const seen = await this.#seen;
    if (seen === null || unproven.every((entry) => seen.has(keyOf(entry.path, entry.remoteRevision)))) return;
    throw new RemoteResetError('the server does not have a change that was agreed on');
  }

  /** Reads what the server has at the same revisions, where its list names no contents. Rejects as `confirm` does. */
  async compare(entries: readonly RemoteBaseRow[]): Promise<void> {
    const { server, differences, dirty, signal } = this.#context;
    const unproven = entries.filter((entry) => !this.isProven(entry));
    for (let start = 0; start < unproven.length; start += readFilesMax) {
      const asked = unproven.slice(start, start + readFilesMax);
      const files = asked.map(({ path }) => ({ path, metadata: 'none' as const }));
      const reads = await server.read(files, signal, contentsOmitted);
      for (const [index, agreed] of asked.entries()) {
        const read = reads[index];
        if (read?.kind !== 'file') continue;
        const { path, revision, hash } = read.version;
        if (revision !== agreed.remoteRevision) {
          differences.set(path, { path, revision, hash, metadata: 'unknown' }, revision);
          dirty.add(path);
        } else if (hash !== agreed.hash) throw otherBytes();
      }
    }
  }

  async #eventsSince(): Promise<ReadonlySet<string> | null> {
    const { server, signal } = this.#context;
    const seen = new Set<string>();
    let cursor = this.#cursor;
    for (let pages = 0; pages < eventPagesMax; pages += 1) {
      const page = await server.events(cursor, signal);
      if (page.gap || (cursor === null && !isBegin(page.events[0]))) return null;
      for (const { path, revision } of page.events) seen.add(keyOf(path, revision));
      if (!page.more) return seen;
      cursor = page.cursor;
    }
    return null;
  }
}

export function otherBytes(): RemoteResetError {
  return new RemoteResetError('the server has other bytes at a known revision');
}

/** Of all events: none was deleted before it. */
function isBegin(event: RemoteEvent | undefined): boolean {
  return event !== undefined && numberOf(eventIdOf(event.cursor), 'evt_') === 1;
}

function keyOf(path: string, revision: string): string {
  return `${revision} ${path}`;
}
