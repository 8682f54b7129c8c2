// Labels of a conflict, the author of a version, and why a choice is disabled. Pure.
import { actorLabel } from '../../../sdk/actor-label.ts';
import type { Conflict, ConflictKind, ConflictVersion } from '../../../server/contract/conflicts.ts';

const names: Readonly<Record<ConflictKind, string>> = {
  both_edited: 'Both edited',
  both_added: 'Both added',
  file_and_folder: 'File and folder',
};

export function conflictName(kind: ConflictKind): string {
  return names[kind];
}

/** Where both versions come from: a folder and the workspace, or this workspace and another server. */
export function conflictSides({ url }: Pick<Conflict, 'url'>): Readonly<Record<'local' | 'remote', string>> {
  if (url === null) return { local: 'folder', remote: 'workspace' };
  return { local: 'this workspace', remote: URL.canParse(url) ? new URL(url).host : url };
}

export function conflictAbout(conflict: Pick<Conflict, 'kind' | 'url'>): string {
  const sides = conflictSides(conflict);
  const [local, remote] =
    conflict.url === null ? ['The folder', 'the workspace'] : ['This workspace', sides.remote];
  switch (conflict.kind) {
    case 'both_edited':
      return `${local} and ${remote} changed the same revision of this file.`;
    case 'both_added':
      return `${local} and ${remote} each added a file with this name.`;
    case 'file_and_folder':
      return 'One side has a file, the other a folder with the same name.';
  }
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
