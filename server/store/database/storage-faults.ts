// Maps faults of the disk (full, read-only, broken, folder missing) to StoreUnavailableError: such a write may succeed later, so it
// is refused as faults of the database are (`isStorageFault` in sqlite.ts).
import { StoreUnavailableError } from '../port/errors.ts';
import { storeFaultOf } from './sqlite.ts';

/** Codes that the source of a stream can cause itself (a connection, for example) are excluded. */
const diskFaults: ReadonlySet<unknown> = new Set([
  'ENOSPC',
  'EDQUOT',
  'EFBIG',
  'EROFS',
  'EIO',
  'EACCES',
  'EPERM',
  'ENOENT',
  'ENOTDIR',
  'EMFILE',
  'ENFILE',
]);

/** `code` is the system's error code, such as `ENOSPC`, from which callers derive advice. */
class DiskFaultError extends StoreUnavailableError {
  readonly code: unknown;

  constructor(fault: Error, code: unknown) {
    super(`a content could not be stored: ${fault.message}`, { cause: fault, fault: storeFaultOf(fault) });
    this.code = code;
  }
}

/** Of a write of a content's file. StoreUnavailableError: the disk refused it; nothing was stored. */
export async function orUnavailable<T>(writing: Promise<T>): Promise<T> {
  try {
    return await writing;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && diskFaults.has(error.code))) throw error;
    throw new DiskFaultError(error, error.code);
  }
}
