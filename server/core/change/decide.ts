// Decides on one change of a workspace: from the change and the loaded state of its paths to what is to be stored, or
// to a refusal. Pure: the store loads before and persists after; times and numbers are handed in.
import type { FileChange } from './change.ts';
import { decideDelete, decideDraft, decideMove } from './decide-move.ts';
import { decideKeep, decideRestore, decideWrite } from './decide-write.ts';
import type { ChangeContext, ChangeDecision, ChangeState } from './decision.ts';
import { refuse } from './refusals.ts';

export function decide(change: FileChange, state: ChangeState, context: ChangeContext): ChangeDecision {
  if (!context.workspaceExists) return refuse(change, 'workspace_not_found', 'the workspace does not exist');
  switch (change.kind) {
    case 'write_file':
      return decideWrite(change, state, context);
    case 'delete_file':
      return decideDelete(change, state, context);
    case 'move_file':
      return decideMove(change, state, context);
    case 'place_draft':
      return decideDraft(change, state, context);
    case 'restore_file':
      return decideRestore(change, state, context);
    case 'keep_version':
      return decideKeep(change, state, context);
    default:
      return change satisfies never;
  }
}
