// Edits a file: reads it, calls the caller for the new content, and writes it with the revision as a precondition. It retries when the
// file has changed. A refused write has no effect, so a retry is safe.
import { NotFoundError, RevisionConflictError } from './errors.ts';
import { pause } from './transport.ts';
import type { EditOptions, FileRecord, WriteOptions, WriteQueued } from './types.ts';

const attemptsDefault = 10;
const firstDelayMs = 20;
const delayMsMax = 1_000;

/** The part of the client that an edit uses. */
export interface EditedFile {
  /** NotFoundError: the file does not exist. */
  read(): Promise<FileRecord>;
  write(content: string | Uint8Array, options: WriteOptions): Promise<WriteQueued>;
}

export type Edit = (file: FileRecord | null) => EditResult | Promise<EditResult>;
/** null: no change. */
export type EditResult = string | Uint8Array | null;

/** null: `edit` returned null. RevisionConflictError: the file changed during every attempt. */
export async function editFile(
  file: EditedFile,
  edit: Edit,
  options: EditOptions,
): Promise<WriteQueued | null> {
  const attemptsMax = Math.max(1, options.tries ?? attemptsDefault);
  for (let attempt = 1; ; attempt += 1) {
    const current = await file.read().catch((error: unknown) => {
      if (error instanceof NotFoundError && error.code === 'not_found') return null;
      throw error;
    });
    const content = await edit(current);
    if (content === null) return null;
    try {
      return await file.write(content, { ...options, ifMatch: current?.revision ?? '0' });
    } catch (error) {
      // 404: the file was deleted meanwhile, and the next attempt creates it.
      const hasChanged =
        error instanceof RevisionConflictError || (error instanceof NotFoundError && current !== null);
      if (!hasChanged || attempt >= attemptsMax) throw error;
    }
    const backoffMs = Math.min(firstDelayMs * 2 ** attempt, delayMsMax);
    await pause(backoffMs * Math.random(), options.signal);
  }
}
