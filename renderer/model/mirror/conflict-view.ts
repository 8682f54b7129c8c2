// Labels of a conflict, the author of a version, and why a choice is disabled. Pure.
import { actorLabel } from '../../../sdk/actor-label.ts';
import type { Conflict, ConflictKind, ConflictVersion } from '../../../server/contract/conflicts.ts';

const kinds: Readonly<Record<ConflictKind, { readonly name: string; readonly about: string }>> = {
  both_edited: {
    name: 'Both edited',
    about: 'The folder and the workspace changed the same revision of this file.',
  },
  both_added: {
    name: 'Both added',
    about: 'The folder and the workspace each added a file with this name.',
  },
  file_and_folder: {
    name: 'File and folder',
    about: 'One side has a file, the other a folder with the same name.',
  },
};

export function conflictName(kind: ConflictKind): string {
  return kinds[kind].name;
}

export function conflictAbout(kind: ConflictKind): string {
  return kinds[kind].about;
}

/** The user of the folder, the name of the token, or that the author is unknown. */
export function versionAuthor(version: ConflictVersion | null): string {
  return version?.by == null ? 'Unknown author' : actorLabel(version.by);
}

export type Choice = Conflict['choices'][number];

export const choiceDone: Readonly<Record<Choice, string>> = {
  folder: 'Kept local',
  workspace: 'Kept remote',
  both: 'Kept both',
  merged: 'Merged',
};

/** null: the agent offers this choice. */
export function choiceDisabledReason(conflict: Conflict, choice: Choice): string | null {
  if (conflict.choices.includes(choice)) return null;
  return choice === 'merged'
    ? 'Only text files can be merged.'
    : 'Not available: one version is a folder or has not been uploaded yet.';
}

export function isText(version: ConflictVersion | null): boolean {
  return version !== null && version.content !== null && version.encoding === 'utf-8';
}
