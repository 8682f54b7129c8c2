// Names the sync rule of a path for people: the states of base, folder and workspace, and what follows. The same cases as
// reconcile.ts, described instead of planned. Pure.
import type { Mode } from './plan.ts';

export const rules = [
  'absent',
  'equal',
  'folder_added',
  'folder_edited',
  'folder_deleted',
  'workspace_added',
  'workspace_edited',
  'workspace_deleted',
  'folder_edit_beats_deletion',
  'workspace_edit_beats_deletion',
  'both_added',
  'both_edited',
] as const;
export type SyncRule = (typeof rules)[number];

/** Hashes; null: no file. */
export interface Observed {
  readonly base: string | null;
  readonly folder: string | null;
  readonly workspace: string | null;
}

export function ruleOf({ base, folder, workspace }: Observed): SyncRule {
  if (folder === workspace) return folder === null ? 'absent' : 'equal';
  if (folder === base) {
    if (workspace === null) return 'workspace_deleted';
    return base === null ? 'workspace_added' : 'workspace_edited';
  }
  if (workspace === base) {
    if (folder === null) return 'folder_deleted';
    return base === null ? 'folder_added' : 'folder_edited';
  }
  if (folder === null) return 'workspace_edit_beats_deletion';
  if (workspace === null) return 'folder_edit_beats_deletion';
  return base === null ? 'both_added' : 'both_edited';
}

const texts: Readonly<Record<SyncRule, string>> = {
  absent: 'Neither side has it.',
  equal: 'Both sides hold the same bytes.',
  folder_added: 'Only the folder has it, and it never was in both: it goes to the workspace.',
  folder_edited: 'The folder changed it, the workspace did not: the edit goes to the workspace.',
  folder_deleted: 'The folder deleted it, the workspace did not change it: it is deleted there, too.',
  workspace_added: 'Only the workspace has it, and it never was in both: it comes to the folder.',
  workspace_edited: 'The workspace changed it, the folder did not: the edit comes to the folder.',
  workspace_deleted: 'The workspace deleted it, the folder did not change it: it is removed there, too.',
  folder_edit_beats_deletion:
    'The workspace deleted it, the folder changed it: a deletion never beats new content.',
  workspace_edit_beats_deletion:
    'The folder deleted it, the workspace changed it: a deletion never beats new content.',
  both_added: 'Both sides have it, with different bytes, and no common beginning: both versions are kept.',
  both_edited:
    'Both sides changed it: edits of a text that do not touch are merged, else both versions are kept.',
};

/** The rule's text for a mirror of this mode. */
export function ruleText(rule: SyncRule, mode: Mode): string {
  if (mode === 'to-folder') {
    if (rule === 'folder_added' || rule === 'folder_edit_beats_deletion')
      return 'Only the folder has it, and this mirror never writes the workspace: it is kept here.';
    if (rule === 'folder_deleted')
      return 'The folder deleted it, and this mirror never writes the workspace: it comes back.';
    if (rule === 'folder_edited')
      return 'The folder changed it, and this mirror never writes the workspace: the edit steps aside and stays local.';
  }
  if (mode === 'to-workspace') {
    if (rule === 'workspace_added' || rule === 'workspace_edited' || rule === 'workspace_edit_beats_deletion')
      return 'The workspace changed it, and this mirror never writes the folder: the sides go on to differ.';
    if (rule === 'workspace_deleted')
      return 'The workspace deleted it, and this mirror never writes the folder: the folder keeps it.';
    if (rule === 'both_added' || rule === 'both_edited')
      return "Both sides changed it: the folder's version goes beside the workspace's, in the workspace.";
  }
  return texts[rule];
}
