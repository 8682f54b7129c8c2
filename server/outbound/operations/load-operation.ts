// Loads the payload of an operation: the content of its revision and the current metadata of the file.
import type { FileEntry } from '../../core/entry.ts';
import type { ContentReader, OperationRow } from '../../store/port/store.ts';
import type { OperationPayload } from '../providers/provider.ts';

export type LoadedOperation =
  | { readonly ok: true; readonly item: OperationPayload }
  /** The message is for people. */
  | { readonly ok: false; readonly message: string };

/** Larger contents are not sent: they would be held in memory, as text, several at a time. */
const outboundBytesMax = 64 * 1024 * 1024;

/** `admit`: called with the number of bytes to read, and awaited before the read. */
export async function loadOperation(
  files: ContentReader,
  row: OperationRow,
  admit: (bytes: number) => Promise<void> = async () => undefined,
): Promise<LoadedOperation> {
  const head = {
    opId: row.opId,
    idempotencyKey: row.renewals === 0 ? row.opId : `${row.opId}.${row.renewals}`,
    workspaceId: row.workspaceId,
    provider: row.provider,
    path: row.path,
    action: row.action,
    revision: row.revision,
    correlationId: row.correlationId,
    madeAtMs: row.createdAtMs,
  };
  if (row.action === 'file_delete') return { ok: true, item: { ...head, content: null } };
  const [state] = await files.history(row.workspaceId, row.path, 1, row.revision + 1);
  const gone = {
    ok: false,
    message: `revision rev_${row.revision} of ${row.path} is no longer kept`,
  } as const;
  if (state?.revision !== row.revision || state.hash === null) return gone;
  if (state.sizeBytes > outboundBytesMax) {
    return { ok: false, message: `the content is larger than ${outboundBytesMax} bytes` };
  }
  await admit(state.sizeBytes);
  const bytes = await files.read(state.hash);
  if (bytes === null) return gone;
  const { hash, contentType, encoding } = state;
  return {
    ok: true,
    item: { ...head, content: { bytes, hash, contentType, encoding, ...(await metadata()) } },
  };

  /** Metadata has no history: it is that of the current file. */
  async function metadata(): Promise<Pick<FileEntry, 'providerObjectId' | 'semantics'>> {
    const entry = await files.get(row.workspaceId, row.path);
    return entry?.type === 'file'
      ? { providerObjectId: entry.providerObjectId, semantics: entry.semantics }
      : { providerObjectId: null, semantics: {} };
  }
}
