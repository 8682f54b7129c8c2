// Changes a file by what it holds: reads it, asks the caller for the new content, writes it only if nobody was faster, and
// begins again when somebody was. Nothing that was refused was applied, so beginning again is safe.
import { NotFoundError, RevisionConflictError } from './errors.ts';
import { pause } from './transport.ts';
import type { EditOptions, FileRecord, WriteOptions, WriteQueued } from './types.ts';

const triesDefault = 10;
const firstDelayMs = 20;
const delayMsMax = 1_000;

/** What an edit needs of the client. */
export interface EditedFile {
  /** NotFoundError: there is none. */
  read(): Promise<FileRecord>;
  write(content: string | Uint8Array, options: WriteOptions): Promise<WriteQueued>;
}

export type Edit = (file: FileRecord | null) => EditResult | Promise<EditResult>;
/** null: nothing is to be changed. */
export type EditResult = string | Uint8Array | null;

/** null: the caller left it as it is. RevisionConflictError: others were faster at every try. */
export async function editFile(
  file: EditedFile,
  edit: Edit,
  options: EditOptions,
): Promise<WriteQueued | null> {
  const tries = Math.max(1, options.tries ?? triesDefault);
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
      // A file that was deleted since answers 404: it is then made anew.
      const outrun =
        error instanceof RevisionConflictError || (error instanceof NotFoundError && current !== null);
      if (!outrun || attempt >= tries) throw error;
    }
    const backoffMs = Math.min(firstDelayMs * 2 ** attempt, delayMsMax);
    await pause(backoffMs * Math.random(), options.signal);
  }
}
