// Which statement a read begins with, for the reads that wait together: their rows are asked for in one message.
import type { AccessSubject } from '../../core/entry.ts';
import type { Asked } from '../database/statements.ts';
import { contentRead, selectUnruled, selectUnruledText } from '../tables/files/files.ts';
import type { ToReader } from './read-messages.ts';

type PathInput = readonly [workspaceId: string, path: string, access: AccessSubject | null];

/** null: it is not known, or the read begins with another one. */
export function firstStatementOf(message: ToReader): Asked | null {
  if (message.kind !== 'read' || message.subject !== 'files') return null;
  if (message.name === 'content') return contentRead(String(message.input[0]));
  const [workspaceId, path, access] = message.input as PathInput;
  switch (message.name) {
    case 'getCheckedText':
      return { sql: selectUnruledText, values: [workspaceId, path] };
    case 'getOpen':
      return { sql: selectUnruled, values: [workspaceId, path] };
    case 'getChecked':
      return access === null ? null : { sql: selectUnruled, values: [workspaceId, path] };
    default:
      return null;
  }
}
