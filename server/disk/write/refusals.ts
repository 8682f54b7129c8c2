// Refusals of changes of the folder. Pure.
import { errorCode } from '../port/file-system.ts';
import type { OperationOutcome } from '../port/folder.ts';

export type Refused = Extract<OperationOutcome, { ok: false }>;

/** Maps an error of a system call to a refusal. */
export function refusalOf(error: unknown): Refused {
  const code = errorCode(error);
  // An entry was created or removed between the check and the change.
  if (['ENOENT', 'EEXIST', 'ENOTDIR', 'ESTALE'].includes(code)) return targetChanged();
  return refusal('failed', code, error instanceof Error ? error.message : String(error));
}

/** Runs a step; an error of the disk becomes a refusal. */
export function asRefusal<T>(act: () => T | Refused): T | Refused {
  try {
    return act();
  } catch (error) {
    return refusalOf(error);
  }
}

export function targetChanged(): Refused {
  return refusal('changed', 'ECHANGED', 'It changed after it was planned.');
}

export function refusal(reason: Refused['reason'], code: string, detail: string): Refused {
  return { ok: false, reason, code, detail };
}
