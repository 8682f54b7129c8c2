// Encodes each event, and the content of its file, once for all streams of the agent. A content is shared only where no access rule
// exists; it never decides for a caller.
import type { EventRow } from '../../workspaces/event-feed.ts';
import { openFrameText } from '../../workspaces/event-text.ts';
import type { FileEntry } from '../../workspaces/model.ts';
import type { HttpDependencies } from '../base/dependencies.ts';
import { socketsSharedBytesMax } from '../base/limits.ts';

interface Found {
  /** Commits of the workspace that had been reported at the look-up: an access rule may follow with a later one. */
  readonly reported: number;
  readonly entry: Promise<FileEntry | null>;
}

interface WithContent {
  readonly frame: Promise<Buffer | null>;
  readonly bytes: number;
}

export class SharedFrames {
  readonly #dependencies: Pick<HttpDependencies, 'feed' | 'workspaces'>;
  /** By row: subscriptions of one workspace share the rows of the feed. */
  readonly #plain = new WeakMap<EventRow, Buffer>();
  readonly #found = new WeakMap<EventRow, Found>();
  /** Oldest first. */
  readonly #withContent = new Map<EventRow, WithContent>();
  #bytes = 0;

  constructor(dependencies: Pick<HttpDependencies, 'feed' | 'workspaces'>) {
    this.#dependencies = dependencies;
  }

  /** The event without content. */
  plain(row: EventRow): Buffer {
    let frame = this.#plain.get(row);
    if (frame === undefined) {
      frame = Buffer.from(`${openFrameText(row)}}`);
      this.#plain.set(row, frame);
    }
    return frame;
  }

  /** The file of the event if every subject may read it; null: the caller looks for itself. */
  find(row: EventRow): Promise<FileEntry | null> {
    const { feed, workspaces } = this.#dependencies;
    const reported = feed.reported(row.workspaceId);
    const known = this.#found.get(row);
    if (known?.reported === reported) return known.entry;
    const entry = workspaces.getOpenFile(row.workspaceId, row.path);
    this.#found.set(row, { reported, entry });
    // The next stream repeats a failed read.
    entry.catch(() => this.#found.delete(row));
    return entry;
  }

  /** The event with the content of this entry, which is its revision; null: the content cannot be read. */
  withContent(row: EventRow, entry: FileEntry): Promise<Buffer | null> {
    const known = this.#withContent.get(row);
    if (known !== undefined) return known.frame;
    const frame = this.#encode(row, entry);
    this.#withContent.set(row, { frame, bytes: entry.sizeBytes });
    this.#bytes += entry.sizeBytes;
    frame.catch(() => this.#drop(row));
    for (const oldest of this.#withContent.keys()) {
      if (this.#bytes <= socketsSharedBytesMax) break;
      this.#drop(oldest);
    }
    return frame;
  }

  #drop(row: EventRow): void {
    this.#bytes -= this.#withContent.get(row)?.bytes ?? 0;
    this.#withContent.delete(row);
  }

  async #encode(row: EventRow, entry: FileEntry): Promise<Buffer | null> {
    const content = await this.#dependencies.workspaces.readEncoded(entry);
    if (content === null) return null;
    const encoding = entry.encoding === 'base64' ? ',"encoding":"base64"' : '';
    return Buffer.from(
      `${openFrameText(row)},"contentType":${JSON.stringify(entry.contentType)},"content":${JSON.stringify(content)}${encoding},"inlineContent":true}`,
    );
  }
}
