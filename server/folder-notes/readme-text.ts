// `.mooring/README.md`: describes the folder to a tool or an agent that works in it, and how to search and undo.
import type { FolderState } from './folder-state.ts';

const plainName = /^[\w.-]+$/;

export function readmeText(state: FolderState): string {
  const { workspace, folder } = state;
  const name = plainName.test(workspace.name) ? workspace.name : workspace.id;
  return `# This folder is synced by Mooring

\`${folder}\` shows ${shown(state)}.
${effect(state)}

- \`state.json\` beside this file has the current state: sync state, conflicts, problems, pending writeback and dead letters. It is replaced
  at each change, at most once a second. \`"synced": true\` means that nothing is pending.
- Files in \`.mooring/\` are not synced. Do not change or delete them. Files that match \`.mooringignore\` are not synced either.
- When two sides change a file at the same time, both versions are kept: one has \`(conflict …)\` in its name.

## Commands

${commands(state, name)}

AI agents connect with \`mooring mcp --workspace ${name}\`. The HTTP API is at ${state.agent}, with its description at ${state.agent}/docs.
Everything that is overwritten or deleted here stays in the history of the workspace.
`;
}

function shown({ workspace, path, runId }: FolderState): string {
  const part = path === '/' ? '' : `the directory \`${path}\` of `;
  const files = `${part}the workspace "${oneLine(workspace.name)}" (${workspace.id})`;
  return runId === null ? files : `${files} as the run ${runId} has changed it`;
}

function effect({ mode, runId }: FolderState): string {
  if (runId !== null)
    return 'Changes here are staged in the run. The workspace changes only when the run is committed.';
  if (mode === 'to-workspace')
    return 'Changes here are carried to the workspace. Changes of the workspace are not written here.';
  if (mode === 'to-folder')
    return 'Changes of the workspace are written here. Changes here are not carried to the workspace.';
  return 'Changes here are carried to the workspace within a second, and changes of the workspace are written here.';
}

function commands({ runId }: FolderState, name: string): string {
  const rows =
    runId === null
      ? [
          ['mooring status', 'the state of all folders'],
          ['mooring sync --wait', 'wait until all earlier changes are synced'],
          [`mooring search 'QUERY' --workspace ${name}`, 'find files by content or name'],
          [`mooring log PATH --workspace ${name}`, 'the history of a file'],
          [
            `mooring undo --since 10m --dry-run --workspace ${name}`,
            'list what an undo of 10 minutes takes back',
          ],
          [`mooring conflicts list --workspace ${name}`, 'the conflicts'],
          [`mooring run --workspace ${name} -- COMMAND`, 'run a command on a copy, and review its changes'],
        ]
      : [
          [`mooring run show ${runId} --diff --workspace ${name}`, 'review the changes'],
          [`mooring run commit ${runId} --workspace ${name}`, 'commit them as one change'],
          [`mooring run discard ${runId} --workspace ${name}`, 'discard them'],
          [`mooring search 'QUERY' --workspace ${name}`, 'find files of the workspace'],
        ];
  return rows.map(([command, effectOf]) => `- \`${command}\`: ${effectOf}`).join('\n');
}

/** A name may contain any character. */
function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}"`]/gu, ' ');
}
