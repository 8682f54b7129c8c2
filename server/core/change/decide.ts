// Decides one change of a workspace: from the change and the loaded state of its paths to the records to write, or to a refusal.
// Pure: the store loads before and writes after; times and numbers are arguments.
import type { FileChange } from './change.ts';
import { decideDelete, decideDraft, decideMove } from './decide-move.ts';
import { decideRestore, decideRetain, decideWrite } from './decide-write.ts';
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
      return decideRetain(change, state, context);
    default:
      return change satisfies never;
  }
}
