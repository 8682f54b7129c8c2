// What a refused change of the folder says of itself. Pure.
import { errorCode } from '../port/file-system.ts';
import type { OperationOutcome } from '../port/folder.ts';

export type Refused = Extract<OperationOutcome, { ok: false }>;

/** What an error of a system call means for what was planned. */
export function refusalOf(error: unknown): Refused {
  const code = errorCode(error);
  // Something came or went between a look and the act: not as planned any more.
  if (['ENOENT', 'EEXIST', 'ENOTDIR', 'ESTALE'].includes(code)) return targetChanged();
  return refusal('failed', code, error instanceof Error ? error.message : String(error));
}

/** Runs a step; an error of the disk is its refusal. */
export function asRefusal<T>(act: () => T | Refused): T | Refused {
  try {
    return act();
  } catch (error) {
    return refusalOf(error);
  }
}

export function targetChanged(): Refused {
  return refusal('changed', 'ECHANGED', 'It is not what was planned any more.');
}

export function refusal(reason: Refused['reason'], code: string, detail: string): Refused {
  return { ok: false, reason, code, detail };
}
