// In the foot of a folder's list: the way into the past, and what a restore brought back, to be taken back again.
import { useMutation } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { describeError, useDisabledReason, useServices } from '../../../api/services.ts';
import { useKeys } from '../../../keys.ts';
import { Button } from '../../../parts/buttons/button.tsx';
import { announce } from '../../../parts/feedback/announcer.tsx';
import { PointInTimeDialog } from './point-in-time-dialog.tsx';

export interface RestoreResult {
  readonly text: string;
  /** The batch that takes it back; null: it was taken back, or nothing was changed. */
  readonly undo: string | null;
}

/** `keys`: false while a file is open, whose history has keys of its own. */
export function AsOfControls({
  workspaceId,
  folder,
  atMs,
  keys,
  done,
  onDone,
  onMoment,
}: {
  readonly workspaceId: string;
  readonly folder: string;
  /** The moment that is shown; null: now. */
  readonly atMs: number | null;
  readonly keys: boolean;
  readonly done: RestoreResult | null;
  readonly onDone: (done: RestoreResult) => void;
  readonly onMoment: (atMs: number | null) => void;
}): ReactElement {
  const { client } = useServices();
  const disabledReason = useDisabledReason();
  const [asking, setAsking] = useState(false);
  const batch = done?.undo ?? null;
  const say = (next: RestoreResult): void => {
    onDone(next);
    announce(next.text);
  };
  const undo = useMutation({
    mutationFn: async (of: string) => await client.history.restore(workspaceId, { batch: of }),
    onSuccess: () => say({ text: 'The restore is taken back.', undo: null }),
    onError: (error) => say({ text: describeError(error), undo: batch }),
  });
  const takeBack = (): void => {
    if (batch !== null && disabledReason === null && !undo.isPending) undo.mutate(batch);
  };
  useKeys(keys && batch !== null ? { 'mod+z': takeBack } : {});
  return (
    <span className="end row folder-past">
      {done === null ? null : (
        <span className="ellipsis" title={done.text}>
          {done.text}
        </span>
      )}
      {batch === null ? null : (
        <Button
          kind="ghost"
          {...(keys ? { shortcut: 'Ctrl Z' } : {})}
          disabledReason={disabledReason ?? (undo.isPending ? 'It is being done.' : null)}
          onClick={takeBack}
        >
          Undo
        </Button>
      )}
      <Button kind="ghost" icon="history" disabledReason={disabledReason} onClick={() => setAsking(true)}>
        As of…
      </Button>
      {asking ? (
        <PointInTimeDialog
          workspaceId={workspaceId}
          folder={folder}
          atMs={atMs}
          onClose={() => setAsking(false)}
          onMoment={(chosen) => {
            setAsking(false);
            onMoment(chosen);
          }}
        />
      ) : null}
    </span>
  );
}
