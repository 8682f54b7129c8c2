// Decides whether a file can be edited in the UI, and lists the consequences of a save. Pure.
import type { FileRecord } from '../../../server/contract/files.ts';
import type { Mirror } from '../../../server/contract/workspaces.ts';
import { size } from '../format.ts';

/** A longer text makes the text field slow. */
const editCharactersMax = 1_000_000;

/** null: the file can be edited. */
export function editDisabledReason(file: Pick<FileRecord, 'content' | 'encoding'>): string | null {
  if (file.encoding === 'base64' || file.content.includes('\0')) return 'Binary file. Edit it in its folder.';
  if (file.content.length > editCharactersMax)
    return `Files larger than ${size(editCharactersMax)} cannot be edited here. Edit the file in its folder.`;
  return null;
}

/** Consequences of a save besides the change of the file. */
export function savingNotes(
  path: string,
  mirror: Pick<Mirror, 'mode'> | null,
  providers: readonly string[],
): readonly string[] {
  const provider = providers.find((each) => path.startsWith(`/${each}/`));
  return [
    ...(provider === undefined ? [] : [`Saving also sends the file to ${provider}.`]),
    ...(mirror?.mode === 'to-workspace' ? ['This mirror does not write to the folder.'] : []),
  ];
}
