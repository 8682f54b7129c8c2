// Whether a file can be edited in the page, and what saving it may say. Pure.
import type { FileRecord } from '../../../server/contract/files.ts';
import type { Mirror } from '../../../server/contract/workspaces.ts';
import { size } from '../format.ts';

/** A longer text makes a plain field slow; the folder has editors for it. */
const editCharactersMax = 1_000_000;

/** null: it can be. */
export function whyNotEdited(file: Pick<FileRecord, 'content' | 'encoding'>): string | null {
  if (file.encoding === 'base64' || file.content.includes('\0'))
    return 'These bytes are no text. Edit the file in its folder.';
  if (file.content.length > editCharactersMax)
    return `Only texts of up to ${size(editCharactersMax)} are edited here. Edit the file in its folder.`;
  return null;
}

/** What saving brings along beside the change itself, so that it is known before. */
export function savingNotes(
  path: string,
  mirror: Pick<Mirror, 'mode'> | null,
  providers: readonly string[],
): readonly string[] {
  const provider = providers.find((each) => path.startsWith(`/${each}/`));
  return [
    ...(provider === undefined ? [] : [`Saving sends it to ${provider}, too.`]),
    ...(mirror?.mode === 'to-workspace' ? ['The folder is not written by this mirror.'] : []),
  ];
}
