// Restores a revision of a file, or reverts the whole request that made it. A restore is a change like any other, so another
// change undoes it.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import type { HistoryEntry } from '../../../../server/contract/history.ts';
import { describeError, useServices } from '../../../api/services.ts';
import { useRoleReason } from '../../../api/viewer.ts';
import { useKeys } from '../../../keys.ts';
import { actorName, restoreDisabledReason } from '../../../model/files/history-view.ts';
import { count } from '../../../model/format.ts';
import { Button } from '../../../parts/buttons/button.tsx';
import { ConfirmDialog } from '../../../parts/dialogs/confirm-dialog.tsx';
import { Icon } from '../../../parts/feedback/icon.tsx';
import { changedFilesText, RestorePreview } from '../point-in-time/restore-preview.tsx';

export interface RevisionActionsProps {
  readonly workspaceId: string;
  readonly path: string;
  readonly entry: HistoryEntry;
  readonly isNewest: boolean;
  /** Keeps this revision selected when an action makes a newer one. */
  readonly onAct: () => void;
}

export function RevisionActions(props: RevisionActionsProps): ReactElement {
  const { workspaceId, entry } = props;
  const { client } = useServices();
  const offline = useRoleReason(workspaceId, 'editor');
  const { state, disabledReason, restore, undo, onReverted } = useRestore(props);
  const [isReverting, setReverting] = useState(false);
  const batch = useQuery({
    queryKey: ['batch', workspaceId, entry.batch],
    queryFn: async ({ signal }) =>
      await client.history.page(workspaceId, '/', { batch: entry.batch, limit: 1_000, signal }),
  });
  const files = new Set(batch.data?.entries.map((each) => each.path)).size;
  return (
    <>
      <RestoreNote state={state} disabledReason={offline} onUndo={undo} />
      <div className="detail-foot">
        <Button icon="undo" shortcut="R" disabledReason={disabledReason} onClick={restore}>
          Restore {entry.revision}
        </Button>
        {files > 1 ? (
          <Button disabledReason={offline} onClick={() => setReverting(true)}>
            {`Revert ${count(files)}${batch.data?.nextCursor == null ? '' : '+'} files…`}
          </Button>
        ) : null}
        <span className="hint">A restore writes a new revision. The current one stays in history.</span>
      </div>
      {isReverting ? (
        <RevertDialog
          workspaceId={workspaceId}
          batch={entry.batch}
          actor={actorName(entry)}
          onClose={() => setReverting(false)}
          onReverted={onReverted}
        />
      ) : null}
    </>
  );
}

type RestoreState =
  | { readonly kind: 'idle' | 'running' }
  /** `undo`: the batch whose revert undoes the restore; null: no undo. */
  | { readonly kind: 'done'; readonly text: string; readonly undo: string | null }
  | { readonly kind: 'failed'; readonly text: string };

function useRestore({ workspaceId, path, entry, isNewest, onAct }: RevisionActionsProps): {
  readonly state: RestoreState;
  /** Why the revision cannot be restored; null: it can. */
  readonly disabledReason: string | null;
  readonly restore: () => void;
  readonly undo: () => void;
  readonly onReverted: (text: string) => void;
} {
  const { client } = useServices();
  const queries = useQueryClient();
  const offline = useRoleReason(workspaceId, 'editor');
  const [state, setState] = useState<RestoreState>({ kind: 'idle' });
  const disabledReason =
    offline ?? (state.kind === 'running' ? 'Working…' : restoreDisabledReason(entry, isNewest));
  const finish = (text: string, undoBatch: string | null): void => {
    setState({ kind: 'done', text, undo: undoBatch });
    void queries.invalidateQueries({ queryKey: ['history', workspaceId] });
  };
  const run = (input: Parameters<typeof client.history.restore>[1], text: string): void => {
    onAct();
    setState({ kind: 'running' });
    client.history.restore(workspaceId, input).then(
      ({ batch }) => finish(text, input.batch === undefined ? (batch ?? null) : null),
      (error: unknown) => setState({ kind: 'failed', text: describeError(error) }),
    );
  };
  const restore = (): void => {
    if (disabledReason === null) run({ path, revision: entry.revision }, `${entry.revision} restored.`);
  };
  const undo = (): void => {
    if (state.kind === 'done' && state.undo !== null) run({ batch: state.undo }, 'Restore undone.');
  };
  useKeys({ r: restore, 'mod+z': undo });
  return {
    state,
    disabledReason,
    restore,
    undo,
    onReverted: (text) => {
      onAct();
      finish(text, null);
    },
  };
}

function RestoreNote({
  state,
  disabledReason,
  onUndo,
}: {
  readonly state: RestoreState;
  readonly disabledReason: string | null;
  readonly onUndo: () => void;
}): ReactElement | null {
  if (state.kind !== 'done' && state.kind !== 'failed') return null;
  return (
    <div className={`note-line${state.kind === 'done' ? ' plain' : ''}`} role="status">
      <Icon of={state.kind === 'done' ? 'fine' : 'failed'} small />
      <span className="grow">{state.text}</span>
      {state.kind === 'done' && state.undo !== null ? (
        <Button kind="ghost" shortcut="Ctrl Z" disabledReason={disabledReason} onClick={onUndo}>
          Undo
        </Button>
      ) : null}
    </div>
  );
}

function RevertDialog({
  workspaceId,
  batch,
  actor,
  onClose,
  onReverted,
}: {
  readonly workspaceId: string;
  readonly batch: string;
  readonly actor: string;
  readonly onClose: () => void;
  readonly onReverted: (text: string) => void;
}): ReactElement {
  const { client } = useServices();
  const preview = useQuery({
    queryKey: ['revert-preview', workspaceId, batch],
    queryFn: async ({ signal }) =>
      await client.history.restore(workspaceId, { batch, ifChanged: 'keep', dryRun: true }, { signal }),
    gcTime: 0,
  });
  const revert = async (): Promise<void> => {
    const restored = await client.history.restore(workspaceId, { batch, ifChanged: 'keep' });
    onReverted(`Reverted ${changedFilesText(restored)} to the state before ${batch}.`);
  };
  return (
    <ConfirmDialog
      title={`Revert a request of ${actor}`}
      confirm={preview.data === undefined ? 'Revert' : `Revert ${changedFilesText(preview.data)}`}
      onConfirm={revert}
      onClose={onClose}
    >
      {preview.data !== undefined ? (
        <RestorePreview preview={preview.data} />
      ) : preview.isError ? (
        <p className="hint bad">{describeError(preview.error)}</p>
      ) : (
        <p className="faint">Calculating changes…</p>
      )}
    </ConfirmDialog>
  );
}
