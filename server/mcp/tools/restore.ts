// restore: brings a past state back as one change, after a dry run that counts the files.
import { restoreSpec } from '../../contract/mcp.ts';
import { listedPathsMax } from '../limits.ts';
import { requireConfirmation } from '../staged-changes.ts';
import { ToolError } from '../tool-error.ts';
import { defineTool } from './tool.ts';

export const restore = defineTool(restoreSpec, async (input, { client, session, signal }) => {
  const { path, revision, at, batch, dryRun, confirm } = input;
  const states = [revision, at, batch].filter((state) => state !== undefined);
  if (states.length !== 1) {
    throw new ToolError(
      'bad_request',
      'pass exactly one of revision, at and batch',
      'Call history to find the state.',
    );
  }
  const state = {
    path,
    ...(revision === undefined ? {} : { revision }),
    ...(at === undefined ? {} : { at }),
    ...(batch === undefined ? {} : { batch }),
  };
  const plan = await client.history.restore(session.workspaceId, { ...state, dryRun: true }, { signal });
  if (dryRun === true) return answerOf(plan);
  requireConfirmation(plan.updated + plan.deleted, confirm, 'overwrite or delete');
  return answerOf(await client.history.restore(session.workspaceId, state, { signal }));
});

function answerOf({
  dryRun,
  batch,
  created,
  updated,
  deleted,
  files,
}: {
  readonly dryRun: boolean;
  readonly batch?: string;
  readonly created: number;
  readonly updated: number;
  readonly deleted: number;
  readonly files: readonly { readonly path: string }[];
}) {
  return {
    dryRun,
    ...(batch === undefined ? {} : { batch }),
    created,
    updated,
    deleted,
    paths: files.slice(0, listedPathsMax).map((file) => file.path),
    truncated: created + updated + deleted > listedPathsMax,
  };
}
