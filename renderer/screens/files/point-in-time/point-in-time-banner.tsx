// The banner above Files while a point in time is shown: the time, what is incomplete, and the actions.
import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useEffect, useState } from 'react';
import { useServices } from '../../../api/services.ts';
import { useRoleReason } from '../../../api/viewer.ts';
import { fullTime } from '../../../model/format.ts';
import { Button } from '../../../parts/buttons/button.tsx';
import { speak } from '../../../parts/feedback/announcer.tsx';
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
  readonly onRestored: (result: RestoreResult) => void;
}): ReactElement {
  const disabledReason = useRoleReason(workspaceId, 'editor');
  const completeSince = useCompleteSince(workspaceId);
  const [restoring, setRestoring] = useState(false);
  const time = fullTime(atMs);
  useEffect(() => speak(`Viewing files as of ${time}. Read-only.`), [time]);
  const incomplete =
    completeSince !== null && atMs < completeSince
      ? `History before ${fullTime(completeSince)} is incomplete.`
      : null;
  return (
    <section className="point-in-time-banner" aria-label="Point in time">
      <Icon of="history" small />
      <span className="grow">
        <strong>As of {time}.</strong> Read-only.
        {incomplete === null ? null : ` ${incomplete} Files may be missing.`}
      </span>
      <Button icon="undo" disabledReason={disabledReason ?? incomplete} onClick={() => setRestoring(true)}>
        Restore {folder === '/' ? 'all files' : 'folder'}…
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
          onRestored={(result) => {
            setRestoring(false);
            onRestored(result);
          }}
        />
      ) : null}
    </section>
  );
}

/** In milliseconds; null: the history is complete, or not loaded yet. */
function useCompleteSince(workspaceId: string): number | null {
  const { client } = useServices();
  const query = useQuery({
    queryKey: ['complete-since', workspaceId],
    queryFn: async ({ signal }) =>
      (await client.history.page(workspaceId, '/', { limit: 1, signal })).retention.completeSince ?? null,
  });
  return query.data == null ? null : Date.parse(query.data);
}
