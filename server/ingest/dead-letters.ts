// Deliveries that failed for good: to be looked at, mended, tried again or put away. It changes no file: what is put back goes
// through the same worker as everything else.
import { mergePatch } from '../core/merge-patch.ts';
import type {
  ApplyResult,
  AttemptRow,
  DeadLetterQuery,
  EnvelopeHead,
  EnvelopeRow,
  PendingEnvelope,
} from '../store/port.ts';
import type { IngestContext } from './context.ts';
import { type Envelope, type Fields, payloadOf, prepare, readEnvelope } from './envelope.ts';
import { bulkMax, editedCharactersMax } from './limits.ts';

export type { ApplyResult, AttemptRow, EnvelopeHead, EnvelopeRow } from '../store/port.ts';

export type DeadLetterFilter = Omit<DeadLetterQuery, 'cursor' | 'limit' | 'workspaceId' | 'oldestFirst'>;

export interface ReplayOptions {
  /** A corrected payload, or what is corrected of it (RFC 7396); neither: as it is. Never both. */
  readonly payload: Fields | null;
  readonly patch?: Fields | null;
  readonly overwriteNewer: boolean;
}

export interface BulkOutcome {
  readonly matched: number;
  readonly done: number;
  readonly letters: readonly EnvelopeHead[];
  readonly more: boolean;
}

export interface DeadLetterDetail {
  readonly row: EnvelopeRow;
  /** null: it was let go when the envelope was settled. */
  readonly envelope: Envelope | null;
  readonly editedPayload: Fields | null;
  readonly attempts: readonly AttemptRow[];
}

export interface DeadLetters {
  /** Newest first. null: the cursor names no envelope of the workspace. */
  list(query: DeadLetterQuery): Promise<{ items: readonly EnvelopeHead[]; more: boolean } | null>;
  /** null: there is no such dead letter. */
  get(workspaceId: string, envelopeId: string): Promise<EnvelopeRow | null>;
  /** Also of one that was replayed or acknowledged. null: it never failed, or is not known. */
  detail(workspaceId: string, envelopeId: string): Promise<DeadLetterDetail | null>;
  /** false: there is no such dead letter. */
  replay(workspaceId: string, envelopeId: string, options: ReplayOptions): Promise<boolean>;
  /** By id alone; several workspaces may have a dead letter of the same id. */
  replayAnywhere(envelopeId: string): Promise<'queued' | 'unknown' | 'ambiguous'>;
  /** What a replay would do now; nothing is changed. null: there is no such dead letter. */
  preview(workspaceId: string, envelopeId: string, options: ReplayOptions): Promise<ApplyResult | null>;
  acknowledge(workspaceId: string, envelopeId: string): Promise<boolean>;
  replayMany(
    workspaceId: string,
    filter: DeadLetterFilter,
    options: { readonly patch: Fields | null; readonly overwriteNewer: boolean; readonly dryRun: boolean },
  ): Promise<BulkOutcome>;
  acknowledgeMany(
    workspaceId: string,
    filter: DeadLetterFilter,
    options: { readonly dryRun: boolean },
  ): Promise<BulkOutcome>;
}

export function createDeadLetters(
  context: IngestContext,
  onPending: (pending: PendingEnvelope) => void,
): DeadLetters {
  const { store, clock, workspaces, settings } = context;

  async function get(workspaceId: string, envelopeId: string): Promise<EnvelopeRow | null> {
    const row = await store.find(workspaceId, envelopeId);
    return row?.state === 'dead_letter' ? row : null;
  }

  async function requeue(rows: Parameters<typeof store.replay>[0]): Promise<number> {
    const pending = await store.replay(rows, clock.nowMs());
    for (const one of pending) onPending(one);
    return pending.length;
  }

  async function replayRow(row: EnvelopeRow, options: ReplayOptions): Promise<boolean> {
    const { overwriteNewer } = options;
    const edited = editedOf(row, options);
    return (await requeue([{ number: row.number, edited, overwriteNewer }])) === 1;
  }

  /** One body at a time, and so many edits at once as memory is to hold; the order stays that of arrival. */
  async function requeuePatched(
    workspaceId: string,
    heads: readonly { number: number; envelopeId: string; overwriteNewer: boolean }[],
    patch: Fields,
  ): Promise<number> {
    let done = 0;
    let rows: { number: number; edited: string | null; overwriteNewer: boolean }[] = [];
    let characters = 0;
    for (const { number, envelopeId, overwriteNewer } of heads) {
      const row = await get(workspaceId, envelopeId);
      if (row === null) continue;
      const edited = editedOf(row, { payload: null, patch });
      rows.push({ number, edited, overwriteNewer });
      characters += edited?.length ?? 0;
      if (characters < editedCharactersMax) continue;
      done += await requeue(rows);
      rows = [];
      characters = 0;
    }
    return done + (rows.length === 0 ? 0 : await requeue(rows));
  }

  /** In the order of arrival, a bounded number. */
  async function matching(workspaceId: string, filter: DeadLetterFilter) {
    const page = await store.deadLetters({
      ...filter,
      workspaceId,
      cursor: null,
      oldestFirst: true,
      limit: bulkMax,
    });
    return page ?? { items: [], more: false };
  }

  return {
    list: (query) => store.deadLetters(query),
    get,
    async detail(workspaceId, envelopeId) {
      const row = await store.find(workspaceId, envelopeId);
      if (row === null || row.attempts === 0) return null;
      return {
        row,
        envelope: row.body === null ? null : readEnvelope(row.body),
        editedPayload: row.edited === null ? null : (JSON.parse(row.edited) as Fields),
        attempts: await store.attempts(row.number),
      };
    },
    async replay(workspaceId, envelopeId, options) {
      const row = await get(workspaceId, envelopeId);
      return row !== null && (await replayRow(row, options));
    },
    async replayAnywhere(envelopeId) {
      const [row, ...others] = await store.findDead(envelopeId);
      if (row === undefined) return 'unknown';
      if (others.length > 0) return 'ambiguous';
      return (await replayRow(row, { payload: null, overwriteNewer: false })) ? 'queued' : 'unknown';
    },
    async preview(workspaceId, envelopeId, options) {
      const row = await get(workspaceId, envelopeId);
      if (row === null || row.body === null) return null;
      const proposed = payloadOf({ body: row.body, edited: editedOf(row, options) ?? row.edited });
      const prepared = await prepare(row.provider, proposed, settings.contentBytesMax, workspaces);
      return await workspaces.previewDelivery({
        number: row.number,
        prepared,
        atMs: clock.nowMs(),
        overwriteNewer: options.overwriteNewer,
      });
    },
    async acknowledge(workspaceId, envelopeId) {
      const row = await get(workspaceId, envelopeId);
      return row !== null && (await store.acknowledge([row.number], clock.nowMs())) === 1;
    },
    async replayMany(workspaceId, filter, { patch, overwriteNewer, dryRun }) {
      const { items, more } = await matching(workspaceId, filter);
      const heads = items.map(({ number, envelopeId }) => ({ number, envelopeId, overwriteNewer }));
      let done = 0;
      if (!dryRun && patch === null) done = await requeue(heads.map((head) => ({ ...head, edited: null })));
      if (!dryRun && patch !== null) done = await requeuePatched(workspaceId, heads, patch);
      return { matched: items.length, done, letters: items, more };
    },
    async acknowledgeMany(workspaceId, filter, { dryRun }) {
      const { items, more } = await matching(workspaceId, filter);
      const numbers = items.map((row) => row.number);
      const done = dryRun || numbers.length === 0 ? 0 : await store.acknowledge(numbers, clock.nowMs());
      return { matched: items.length, done, letters: items, more };
    },
  };
}

/** What is kept beside the original; null: nothing was corrected this time. */
function editedOf(
  row: EnvelopeRow,
  { payload, patch = null }: Omit<ReplayOptions, 'overwriteNewer'>,
): string | null {
  if (payload !== null) return JSON.stringify(payload);
  if (patch === null) return null;
  if (row.body === null) throw new Error('a dead letter has no body');
  return JSON.stringify(mergePatch(payloadOf({ body: row.body, edited: row.edited }), patch));
}
