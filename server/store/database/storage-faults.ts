// What the disk answers when it, and not the request, is the reason: full, read-only, broken, or its folder is gone. Such a
// write may do later, so it is refused as the database's own faults are (sqlite.ts, `isStorageFault`).
import { StoreUnavailableError } from '../port/errors.ts';
import { storeFaultOf } from './sqlite.ts';

/** What of these a stream that is being written to the disk can bring along itself (a connection, say) is not among them. */
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

/** `code` is the system's word, `ENOSPC`: who keeps files for a person can say what to do. */
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
