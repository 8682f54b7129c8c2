// What a conflict is called, who made which version, and why a choice cannot be made. Pure.
import type { Conflict, ConflictKind, ConflictVersion } from '../../../server/contract/conflicts.ts';

const kinds: Readonly<Record<ConflictKind, { readonly name: string; readonly about: string }>> = {
  both_edited: {
    name: 'Both edited',
    about: 'The folder and the workspace changed this file from the same version.',
  },
  both_added: {
    name: 'Both added',
    about: 'The folder and the workspace each made a file of this name.',
  },
  file_and_folder: {
    name: 'File and folder of one name',
    about: 'One side has a file where the other has a folder.',
  },
};

export function conflictName(kind: ConflictKind): string {
  return kinds[kind].name;
}

export function conflictAbout(kind: ConflictKind): string {
  return kinds[kind].about;
}

/** `Folder`, the token's name, or that it is not known any more. */
export function versionAuthor(version: ConflictVersion | null): string {
  if (version?.by == null) return 'not known any more';
  return version.by.kind === 'mirror' ? 'Folder' : version.by.name;
}

export type Choice = Conflict['choices'][number];

export const choiceDone: Readonly<Record<Choice, string>> = {
  folder: 'Kept local',
  workspace: 'Kept remote',
  both: 'Kept both',
  merged: 'Saved the merge',
};

/** Why this choice is not among those of the agent; null: it is. */
export function whyNoChoice(conflict: Conflict, choice: Choice): string | null {
  if (conflict.choices.includes(choice)) return null;
  return choice === 'merged'
    ? 'Only texts can be merged.'
    : 'The agent does not offer it here: one of the versions is a folder, or is not read yet.';
}

export function isText(version: ConflictVersion | null): boolean {
  return version !== null && version.content !== null && version.encoding === 'utf-8';
}
