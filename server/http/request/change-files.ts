// Builds the change of a request for workspaces/service, and runs a change of one file. Used by PUT (JSON and raw), DELETE and bulk.
import type { FastifyRequest } from 'fastify';
import type { WriteQueued } from '../../contract/files.ts';
import type { Files } from '../../workspaces/forks.ts';
import type { FileChange } from '../../workspaces/model.ts';
import type { WorkspaceService } from '../../workspaces/service.ts';
import { correlationIdOf } from '../base/api-error.ts';
import { callerOf } from '../plugins/auth.ts';
import { refusalError, writeQueued } from './file-writes.ts';

type ChangeCommand = Parameters<Files['change']>[0];

/** Each change is accepted or refused separately; the accepted ones are committed together. */
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

/** Throws the ApiError of a refusal. */
export async function changeFile(
  request: FastifyRequest,
  workspaces: WorkspaceService,
  files: Files,
  workspaceId: string,
  change: FileChange,
): Promise<WriteQueued> {
  const [result] = await files.change(changeCommand(request, workspaceId, [change]));
  if (result === undefined) throw new Error('a change has no result');
  if (!result.ok) throw await refusalError(workspaces, result);
  return writeQueued(result);
}
