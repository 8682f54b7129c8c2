// Previews what an operation would send, without sending it: the difference to the provider's copy, and the request.
import { type Compute, isOverLimit } from '../../compute/port.ts';
import { diffBytesMax } from '../../core/merge/text-diff.ts';
import type { ContentReader, OperationRow, OperationStore, RevisionRow } from '../../store/port/store.ts';
import type { PreparedRequest } from '../providers/provider.ts';
import type { ProviderRegistry } from '../providers/registry.ts';
import { loadOperation } from './load-operation.ts';

export interface Preview {
  readonly opId: string;
  readonly path: string;
  readonly action: OperationRow['action'];
  readonly revision: number;
  /** What the provider has, as far as is known; null: nothing. */
  readonly providerRevision: number | null;
  /** null: `diffOmitted` says why, or nothing can be sent. */
  readonly diff: string | null;
  readonly diffOmitted: DiffOmitted | null;
  readonly sizeBytes: number;
  /** Of what the provider has; null: nothing, as far as is known. */
  readonly providerSizeBytes: number | null;
  /** null: nothing is called for it (an `external` provider, or none), or it cannot be sent. */
  readonly request: (PreparedRequest & { readonly body: string }) | null;
  /** What should be known before it is sent; in words. */
  readonly warnings: readonly string[];
}

/** Why two texts are not compared by lines. */
export type DiffOmitted = 'binary' | 'too_large' | 'too_different';

export interface PreviewDeps {
  readonly compute: Compute;
  readonly operations: OperationStore;
  readonly files: ContentReader;
  readonly registry: ProviderRegistry;
}

/** Revisions that are looked through for what the provider has. */
const revisionsMax = 500;
/** Of the body of a request that is shown. */
const requestCharactersMax = 256 * 1024;

/** `send`: which content a replay would send; `null`: the unchanged item. Returns null for an unknown item. */
export async function previewOperation(
  deps: PreviewDeps,
  workspaceId: string,
  opId: string,
  send: 'current' | 'original' | null,
): Promise<Preview | null> {
  const { operations, files, registry } = deps;
  const operation = await operations.get(workspaceId, opId);
  if (operation === null) return null;
  const row = send === 'current' ? await asCurrent(files, operation) : operation;
  const warnings: string[] = [];
  const loaded = await loadOperation(files, row);
  if (!loaded.ok) warnings.push(loaded.message);
  const base = await providerState(deps, row);
  if (base !== null && base.revision > row.revision) {
    warnings.push(
      `the provider has rev_${base.revision} of this file, which is newer than what this would send`,
    );
  }
  const provider = await registry.get(workspaceId, row.provider);
  const callable = provider === null ? null : registry.callable(provider);
  const request = callable !== null && loaded.ok ? await callable.prepare(loaded.item) : null;
  const after = loaded.ok ? (loaded.item.content?.bytes ?? null) : null;
  return {
    opId,
    path: row.path,
    action: row.action,
    revision: row.revision,
    providerRevision: base?.revision ?? null,
    ...(loaded.ok ? await diffOf(deps, row.path, base, after) : { diff: null, diffOmitted: null }),
    sizeBytes: after?.byteLength ?? 0,
    providerSizeBytes: base?.hash == null ? null : base.sizeBytes,
    request: request === null ? null : { ...request, body: beginningOf(request.body) },
    warnings,
  };
}

function beginningOf(body: PreparedRequest['body']): string {
  if (typeof body === 'string') return body.slice(0, requestCharactersMax);
  let text = '';
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  for (const piece of body) {
    if (text.length >= requestCharactersMax) break;
    text += decoder.decode(piece, { stream: true });
  }
  return text.slice(0, requestCharactersMax);
}

async function asCurrent(files: ContentReader, row: OperationRow): Promise<OperationRow> {
  const entry = await files.get(row.workspaceId, row.path);
  if (entry?.type === 'file') return { ...row, revision: entry.revision, action: 'file_upsert' };
  const [newest] = await files.history(row.workspaceId, row.path, 1, null);
  return { ...row, revision: newest?.revision ?? row.revision, action: 'file_delete' };
}

/** The newest state of the path that came from the provider or that it took over; null: there is none. */
async function providerState(deps: PreviewDeps, row: OperationRow): Promise<RevisionRow | null> {
  for (const state of await deps.files.history(row.workspaceId, row.path, revisionsMax, null)) {
    if (state.origin === 'provider_sync') return state;
    if (state.opId === null || state.opId === row.opId) continue;
    const operation = await deps.operations.get(row.workspaceId, state.opId);
    // An operation that was never sent has no attempt.
    if (operation?.status === 'succeeded' && operation.attemptCount > 0) return state;
  }
  return null;
}

async function diffOf(
  { files, compute }: PreviewDeps,
  path: string,
  base: RevisionRow | null,
  after: Uint8Array | null,
): Promise<Pick<Preview, 'diff' | 'diffOmitted'>> {
  const omitted = (diffOmitted: DiffOmitted) => ({ diff: null, diffOmitted });
  if ((base?.sizeBytes ?? 0) > diffBytesMax || (after?.byteLength ?? 0) > diffBytesMax)
    return omitted('too_large');
  const before = base?.hash == null ? null : await files.read(base.hash);
  const [left, right] = [before, after].map((bytes) => (bytes === null ? null : textOf(bytes)));
  if (left === undefined || right === undefined) return omitted('binary');
  try {
    const { hunks, tooDifferent } = await compute.run('diff_lines', {
      before: left ?? '',
      after: right ?? '',
    });
    if (tooDifferent) return omitted('too_different');
    if (hunks === '' && left === right) return { diff: '', diffOmitted: null };
    const name = (text: string | null, side: string) => (text === null ? '/dev/null' : side + path);
    return { diff: `--- ${name(left, 'a')}\n+++ ${name(right, 'b')}\n${hunks}`, diffOmitted: null };
  } catch (error) {
    if (isOverLimit(error)) return omitted('too_different');
    throw error;
  }
}

/** undefined: no text. */
function textOf(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch {
    // Not UTF-8.
    return undefined;
  }
}
