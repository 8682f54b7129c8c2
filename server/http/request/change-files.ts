// What a request that changes files hands to the one door, and the answer of those that change one file. Used by PUT (both forms),
// DELETE and bulk.
import type { FastifyRequest } from 'fastify';
import type { WriteQueued } from '../../contract/files.ts';
import type { Files } from '../../workspaces/forks.ts';
import type { FileChange } from '../../workspaces/model.ts';
import type { WorkspaceService } from '../../workspaces/service.ts';
import { correlationIdOf } from '../base/api-error.ts';
import { callerOf } from '../plugins/auth.ts';
import { refusalError, writeQueued } from './file-writes.ts';

type ChangeCommand = Parameters<Files['change']>[0];

/** Each change is taken or refused by itself; all that are taken are committed together. */
export function changeCommand(
  request: FastifyRequest,
  workspaceId: string,
  changes: readonly FileChange[],
): ChangeCommand {
  const { actor, access } = callerOf(request);
  return {
    workspaceId,
    changes,
    atomic: false,
    actor,
    origin: 'agent_write',
    access,
    correlationId: correlationIdOf(request),
    makesOperations: true,
  };
}

/** Throws the ApiError that a refusal is. */
export async function changeFile(
  request: FastifyRequest,
  workspaces: WorkspaceService,
  files: Files,
  workspaceId: string,
  change: FileChange,
): Promise<WriteQueued> {
  const [result] = await files.change(changeCommand(request, workspaceId, [change]));
  if (result === undefined) throw new Error('a change came back without a result');
  if (!result.ok) throw await refusalError(workspaces, result);
  return writeQueued(result);
}
