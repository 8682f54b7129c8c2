// Dead letters: list, show, edit, replay and acknowledge. It changes no file: replayed envelopes go through the apply loop.
import { type Authority, combined, partiesMax } from '../core/access/authority.ts';
import { mergePatch } from '../core/merge/json-merge-patch.ts';
import { normalizeReadPath } from '../core/paths/path.ts';
import type {
  ApplyResult,
  AttemptRow,
  DeadLetterQuery,
  EnvelopeHead,
  EnvelopeRow,
  PendingEnvelope,
  ReplayInput,
} from '../store/port/store.ts';
import { bulkMax, editedLengthMax, type IngestContext } from './context.ts';
import {
  type Envelope,
  type Fields,
  pathIn,
  payloadOf,
  payloadText,
  prepare,
  readEnvelope,
  readPayloadText,
  textsOf,
} from './envelope.ts';

export type { ApplyResult, AttemptRow, EnvelopeHead, EnvelopeRow } from '../store/port/store.ts';

export type DeadLetterFilter = Omit<DeadLetterQuery, 'cursor' | 'limit' | 'workspaceId' | 'oldestFirst'>;

export interface ReplayOptions {
  /** A corrected payload, or a merge patch of it (RFC 7396); neither: the payload is unchanged. Never both. */
  readonly payload: Fields | null;
  readonly patch?: Fields | null;
  readonly overwriteNewer: boolean;
  /**
   * Who replays it. A replay may only do what both the replayer and the sender may: an edit keeps parts of the sender's payload,
   * and an unchanged replay all of it. With a `payload` of its own it keeps nothing and acts as the replayer alone.
   */
  readonly by: Authority | null;
}

/** `crowded`: too many different identities have replayed it; a payload of the replayer's own begins anew. */
export type ReplayOutcome = 'queued' | 'unknown' | 'crowded';

export interface BulkOutcome {
  readonly matched: number;
  readonly done: number;
  readonly letters: readonly EnvelopeHead[];
  readonly more: boolean;
}

export interface DeadLetterDetail {
  readonly row: EnvelopeRow;
  /** null: it was released when the envelope was settled. */
  readonly envelope: Envelope | null;
  readonly editedPayload: Fields | null;
  /** What it is about; the corrected payload may name another path. A reader must be allowed to see each. */
  readonly paths: readonly (string | null)[];
  readonly attempts: readonly AttemptRow[];
}

export class DeadLetters {
  readonly #context: IngestContext;
  readonly #onPending: (pending: PendingEnvelope) => void;

  constructor(context: IngestContext, onPending: (pending: PendingEnvelope) => void) {
    this.#context = context;
    this.#onPending = onPending;
  }

  /** Newest first, of every path: the caller leaves out what is closed. null: the cursor names no envelope of the workspace. */
  list(query: DeadLetterQuery): Promise<{ items: readonly EnvelopeHead[]; more: boolean } | null> {
    return this.#context.store.deadLetters(query);
  }

  /** null: there is none, or it is about a file that `by` may not see or change: what is hidden is as if it were not there. */
  async get(workspaceId: string, envelopeId: string, by: Authority | null): Promise<EnvelopeRow | null> {
    const row = await this.#find(workspaceId, envelopeId);
    return row !== null && (await this.#isPermitted(row, by)) ? row : null;
  }

  /** Also of one that was replayed or acknowledged. null: it never failed, or is not known. */
  async detail(workspaceId: string, envelopeId: string): Promise<DeadLetterDetail | null> {
    const { store } = this.#context;
    const row = await store.find(workspaceId, envelopeId);
    if (row === null || row.attempts === 0) return null;
    const { body, edited } = await textsOf(store, row);
    const editedPayload = edited === null ? null : await readPayloadText(edited);
    return {
      row,
      envelope: body === null ? null : await readEnvelope(body),
      editedPayload,
      paths: [row.path, ...(editedPayload === null ? [] : [pathIn(editedPayload)])],
      attempts: await store.attempts(row.number),
    };
  }

  async replay(workspaceId: string, envelopeId: string, options: ReplayOptions): Promise<ReplayOutcome> {
    const row = await this.get(workspaceId, envelopeId, options.by);
    return row === null ? 'unknown' : await this.#replayRow(row, options);
  }

  /** By id alone; several workspaces may have a dead letter of the same id. */
  async replayAnywhere(envelopeId: string, by: Authority | null): Promise<ReplayOutcome | 'ambiguous'> {
    const permitted: EnvelopeRow[] = [];
    for (const row of await this.#context.store.findDead(envelopeId))
      if (await this.#isPermitted(row, by)) permitted.push(row);
    const [row, ...others] = permitted;
    if (row === undefined) return 'unknown';
    if (others.length > 0) return 'ambiguous';
    return await this.#replayRow(row, { payload: null, overwriteNewer: false, by });
  }

  /** What a replay would do now; nothing is changed. null: there is no such dead letter. */
  async preview(
    workspaceId: string,
    envelopeId: string,
    options: ReplayOptions,
  ): Promise<ApplyResult | null> {
    const { workspaces, clock, settings } = this.#context;
    const row = await this.get(workspaceId, envelopeId, options.by);
    const proposed = row === null ? null : await this.#proposed(row, options);
    if (row === null || proposed === null) return null;
    const prepared = await prepare(row.provider, proposed, settings.contentBytesMax, workspaces);
    return await workspaces.previewEnvelope({
      number: row.number,
      prepared,
      atMs: clock.nowMs(),
      overwriteNewer: options.overwriteNewer,
      authority: options.by,
      actsAs: actsAs(options),
      mayDelete: true,
    });
  }

  async acknowledge(workspaceId: string, envelopeId: string, by: Authority | null): Promise<boolean> {
    const row = await this.get(workspaceId, envelopeId, by);
    return row !== null && (await this.#acknowledgeRows([row])) === 1;
  }

  async replayMany(
    workspaceId: string,
    filter: DeadLetterFilter,
    { dryRun, ...options }: Omit<ReplayOptions, 'payload'> & { readonly dryRun: boolean },
  ): Promise<BulkOutcome> {
    const { items, more } = await this.#matching(workspaceId, filter, options.by);
    const done = dryRun ? 0 : await this.#requeueMany(workspaceId, items, { payload: null, ...options });
    return { matched: items.length, done, letters: items, more };
  }

  async acknowledgeMany(
    workspaceId: string,
    filter: DeadLetterFilter,
    { by, dryRun }: { readonly by: Authority | null; readonly dryRun: boolean },
  ): Promise<BulkOutcome> {
    const { items, more } = await this.#matching(workspaceId, filter, by);
    const done = dryRun || items.length === 0 ? 0 : await this.#acknowledgeRows(items);
    return { matched: items.length, done, letters: items, more };
  }

  async #find(workspaceId: string, envelopeId: string): Promise<EnvelopeRow | null> {
    const row = await this.#context.store.find(workspaceId, envelopeId);
    return row?.state === 'dead_letter' ? row : null;
  }

  async #isPermitted(row: EnvelopeHead, by: Authority | null): Promise<boolean> {
    return (await this.#permitted(row.workspaceId, [row], by)).length === 1;
  }

  /** Those about files that they may change; what names no path is about the root. */
  async #permitted(
    workspaceId: string,
    rows: readonly EnvelopeHead[],
    by: Authority | null,
  ): Promise<readonly EnvelopeHead[]> {
    const paths = rows.map(({ path }) => normalizeReadPath(path ?? '/'));
    const permitted = await this.#context.workspaces.permitted(workspaceId, paths, by);
    return rows.filter((_, index) => permitted[index] === true);
  }

  /** In the order of arrival, a bounded number. */
  async #matching(workspaceId: string, filter: DeadLetterFilter, by: Authority | null) {
    const query = { ...filter, workspaceId, cursor: null, oldestFirst: true as const, limit: bulkMax };
    const page = await this.#context.store.deadLetters(query);
    return page === null
      ? { items: [], more: false }
      : { items: await this.#permitted(workspaceId, page.items, by), more: page.more };
  }

  async #replayRow(row: EnvelopeRow, options: ReplayOptions): Promise<ReplayOutcome> {
    if (isCrowded(row, options)) return 'crowded';
    const input = await this.#inputOf(row, options);
    if (input === null) return 'unknown';
    return (await this.#requeue([input])) === 1 ? 'queued' : 'unknown';
  }

  async #requeue(rows: readonly ReplayInput[]): Promise<number> {
    const { store, clock } = this.#context;
    const pending = await store.replay({ rows, atMs: clock.nowMs() });
    for (const envelope of pending) this.#onPending(envelope);
    return pending.length;
  }

  /** One body at a time, and so many edits at once as memory is to hold; the order stays that of arrival. */
  async #requeueMany(
    workspaceId: string,
    heads: readonly EnvelopeHead[],
    options: ReplayOptions,
  ): Promise<number> {
    let done = 0;
    let rows: ReplayInput[] = [];
    let length = 0;
    for (const head of heads) {
      // Only an edit needs what was handed in, and each body may be megabytes.
      const row = options.patch == null ? head : await this.#find(workspaceId, head.envelopeId);
      const input = row === null || isCrowded(row, options) ? null : await this.#inputOf(row, options);
      if (input === null) continue;
      rows.push(input);
      length += input.edited?.length ?? 0;
      if (length < editedLengthMax) continue;
      done += await this.#requeue(rows);
      rows = [];
      length = 0;
    }
    return done + (rows.length === 0 ? 0 : await this.#requeue(rows));
  }

  /** What is kept beside the original is the corrected payload. null: it is gone. */
  async #inputOf(
    row: EnvelopeHead & Partial<EnvelopeRow>,
    options: ReplayOptions,
  ): Promise<ReplayInput | null> {
    const { by, overwriteNewer, payload, patch = null } = options;
    const isEdited = payload !== null || patch !== null;
    const proposed = isEdited ? await this.#proposed(row, options) : null;
    if (isEdited && proposed === null) return null;
    return {
      number: row.number,
      edited: proposed === null ? null : await payloadText(proposed),
      overwriteNewer,
      authority: by,
      actsAs: actsAs(options),
    };
  }

  /** The payload that a replay applies. null: it is gone. */
  async #proposed(
    row: EnvelopeHead & Partial<EnvelopeRow>,
    { payload, patch = null }: Pick<ReplayOptions, 'payload' | 'patch'>,
  ): Promise<unknown> {
    if (payload !== null) return payload;
    const { number, body = null, edited = null, isLong = false } = row;
    const texts = await textsOf(this.#context.store, { number, body, edited, isLong });
    if (texts.body === null) return null;
    const stored = await payloadOf(texts);
    return patch === null ? stored : mergePatch(stored, patch);
  }

  #acknowledgeRows(rows: readonly EnvelopeHead[]): Promise<number> {
    const { store, clock } = this.#context;
    return store.acknowledge({ numbers: rows.map(({ number }) => number), atMs: clock.nowMs() });
  }
}

/** Too many different identities would have to be allowed. */
function isCrowded({ authority }: EnvelopeHead, options: ReplayOptions): boolean {
  return actsAs(options) === 'both' && (combined(authority, options.by)?.parties.length ?? 0) > partiesMax;
}

function actsAs({ payload }: Pick<ReplayOptions, 'payload'>): ReplayInput['actsAs'] {
  return payload === null ? 'both' : 'replayer';
}
