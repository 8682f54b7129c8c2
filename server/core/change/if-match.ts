// Checks the precondition of a change against the current revision (docs/wire-contract.md#if-match). Pure.
import { type FileEntry, revisionName } from '../entry.ts';
import type { FileChange, Precondition, Refusal } from './change.ts';
import { refuse } from './refusals.ts';

/** The expected state as If-Match writes it. */
export function expectedBy(precondition: Precondition): string {
  switch (precondition.kind) {
    case 'any':
      return '*';
    case 'absent':
      return '0';
    case 'revision':
      return precondition.revision;
    case 'content':
      return precondition.hash;
    default:
      return precondition satisfies never;
  }
}

/** null: the precondition holds. */
export function failedPrecondition(
  change: FileChange,
  precondition: Precondition,
  current: FileEntry | null,
): Refusal | null {
  switch (precondition.kind) {
    case 'any':
      return null;
    case 'absent':
      return current === null ? null : conflict(change, precondition, current);
    case 'revision':
      if (current === null) return missing(change, precondition);
      return revisionName(current) === precondition.revision ? null : conflict(change, precondition, current);
    case 'content':
      if (current === null) return missing(change, precondition);
      return current.hash === precondition.hash ? null : conflict(change, precondition, current);
    default:
      return precondition satisfies never;
  }
}

function missing(change: FileChange, precondition: Precondition): Refusal {
  return {
    ...refuse(change, 'not_found', 'there is no file at this path'),
    expectedRevision: expectedBy(precondition),
  };
}

function conflict(change: FileChange, precondition: Precondition, current: FileEntry): Refusal {
  return {
    ...refuse(change, 'revision_conflict', 'the file is not in the expected state'),
    expectedRevision: expectedBy(precondition),
    currentRevision: revisionName(current),
    current,
  };
}
