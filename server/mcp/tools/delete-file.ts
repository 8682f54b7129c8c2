// delete_file: deletes a file or a folder as one change.
import { deleteFileSpec } from '../../contract/mcp.ts';
import { inRun, optionsOf } from '../run-of-call.ts';
import { commitTogether, filesAt, manyFiles, requireConfirmation } from '../staged-changes.ts';
import { ToolError } from '../tool-error.ts';
import { defineTool } from './tool.ts';
import { conflictOf } from './write-file.ts';

export const deleteFile = defineTool(deleteFileSpec, async (input, outside) => {
  const call = await inRun(outside, input.runId);
  const { path, baseRevision = '*', dryRun, confirm } = input;
  const { client, session, signal } = call;
  const files = await filesAt(call, path);
  const [first] = files;
  if (first === undefined)
    throw new ToolError('not_found', `there is no file at or below ${path}`, 'Call list_files.');
  const isFile = files.length === 1 && first.path === path;
  if (!isFile && baseRevision !== '*')
    throw new ToolError('bad_request', `${path} is a folder, which has no revision`, 'Omit baseRevision.');
  const conflict = isFile ? conflictOf(baseRevision, first.revision) : {};
  const answer = {
    path,
    ...manyFiles(
      files.map((file) => file.path),
      dryRun === true,
    ),
  };
  if (dryRun === true) return { ...answer, ...conflict };
  requireConfirmation(files.length, confirm, 'delete');
  if (isFile) {
    const { targetRevision } = await client.files.delete(session.workspaceId, path, {
      ifMatch: baseRevision,
      ...optionsOf(call),
    });
    return { ...answer, revision: targetRevision };
  }
  const revision = await commitTogether(call, async (forkId) => {
    for (const file of files) {
      await client.files.delete(session.workspaceId, file.path, { forkId, ifMatch: file.revision, signal });
    }
  });
  return revision === undefined ? answer : { ...answer, revision };
});
