// edit_file: replaces exact texts of a file. Without a base revision it works on the current text, also when that changes meanwhile.

import { RevisionConflictError } from '../../../sdk/index.ts';
import { editFileSpec } from '../../contract/mcp.ts';
import { budgetOf } from '../answer-size.ts';
import { inRun, optionsOf } from '../run-of-call.ts';
import { unifiedDiff } from '../text-diff.ts';
import { loadFile, requiredText } from '../text-file.ts';
import { ToolError } from '../tool-error.ts';
import { defineTool } from './tool.ts';
import { conflictOf } from './write-file.ts';

const attemptsMax = 5;

interface Replacement {
  readonly oldText: string;
  readonly newText: string;
}

export const editFile = defineTool(editFileSpec, async (input, outside) => {
  const call = await inRun(outside, input.runId);
  const { path, edits, baseRevision, dryRun } = input;
  const { client, session } = call;
  for (let attempt = 1; ; attempt += 1) {
    const file = await loadFile(call, path);
    const base = baseRevision === undefined || baseRevision === '*' ? file.revision : baseRevision;
    const before = requiredText(file, path);
    const conflict = conflictOf(base, file.revision);
    // The agent refuses the write and names the current revision, before a text is searched in the wrong content.
    const after = conflict.conflict === undefined ? replaced(before, edits) : before;
    const { diff, truncated } = unifiedDiff(before, after, budgetOf(undefined));
    const answer = { path, baseRevision: file.revision, diff, truncated };
    if (dryRun === true) return { ...answer, dryRun: true, ...conflict };
    try {
      const written = await client.files.write(session.workspaceId, path, after, {
        ifMatch: base,
        ...optionsOf(call),
      });
      return { ...answer, dryRun: false, revision: written.targetRevision };
    } catch (error) {
      const mayRepeat = base === file.revision && baseRevision !== base && attempt < attemptsMax;
      if (!(error instanceof RevisionConflictError) || !mayRepeat) throw error;
    }
  }
});

function replaced(text: string, edits: readonly Replacement[]): string {
  let current = text;
  for (const [index, { oldText, newText }] of edits.entries()) {
    const at = current.indexOf(oldText);
    if (at === -1) throw refusal(index, 'does not occur in the file');
    if (current.indexOf(oldText, at + 1) !== -1) throw refusal(index, 'occurs more than once');
    current = current.slice(0, at) + newText + current.slice(at + oldText.length);
  }
  return current;
}

function refusal(index: number, why: string): ToolError {
  return new ToolError(
    'bad_request',
    `edits[${index}].oldText ${why}; nothing was written`,
    'Call read_file and copy oldText exactly, with enough lines around it to be unique.',
  );
}
