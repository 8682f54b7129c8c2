// Stands over Files while a past moment is shown: which one, that nothing can be changed in it, and the ways out.
import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useEffect, useState } from 'react';
import { useDisabledReason, useServices } from '../../../api/services.ts';
import { fullTime } from '../../../model/format.ts';
import { Button } from '../../../parts/buttons/button.tsx';
import { announce } from '../../../parts/feedback/announcer.tsx';
import { Icon } from '../../../parts/feedback/icon.tsx';
import type { RestoreResult } from './as-of-controls.tsx';
import { RestoreDialog } from './restore-dialog.tsx';

export function PointInTimeBanner({
  workspaceId,
  folder,
  atMs,
  onNow,
  onRestored,
}: {
  readonly workspaceId: string;
  readonly folder: string;
  readonly atMs: number;
  readonly onNow: () => void;
  readonly onRestored: (done: RestoreResult) => void;
}): ReactElement {
  const disabledReason = useDisabledReason();
  const completeSince = useCompleteSince(workspaceId);
  const [restoring, setRestoring] = useState(false);
  const moment = fullTime(atMs);
  useEffect(() => announce(`You see the files as of ${moment}. Nothing can be changed here.`), [moment]);
  const notKept =
    completeSince !== null && atMs < completeSince
      ? `Not all is kept from before ${fullTime(completeSince)}.`
      : null;
  return (
    <section className="past-banner" aria-label="The past">
      <Icon of="history" small />
      <span className="grow">
        <strong>As of {moment}.</strong> Read only.
        {notKept === null ? null : ` ${notKept} Files may be missing here.`}
      </span>
      <Button icon="undo" disabledReason={disabledReason ?? notKept} onClick={() => setRestoring(true)}>
        Restore {folder === '/' ? 'everything' : 'this folder'}…
      </Button>
      <Button kind="primary" onClick={onNow}>
        Back to now
      </Button>
      {restoring ? (
        <RestoreDialog
          workspaceId={workspaceId}
          path={folder}
          atMs={atMs}
          onClose={() => setRestoring(false)}
          onRestored={(done) => {
            setRestoring(false);
            onRestored(done);
          }}
        />
      ) : null}
    </section>
  );
}

/** Milliseconds; null: nothing was let go of yet, or it is not known. */
function useCompleteSince(workspaceId: string): number | null {
  const { client } = useServices();
  const query = useQuery({
    queryKey: ['complete-since', workspaceId],
    queryFn: async ({ signal }) =>
      (await client.history.page(workspaceId, '/', { limit: 1, signal })).retention.completeSince ?? null,
    staleTime: 0,
  });
  return query.data == null ? null : Date.parse(query.data);
}
