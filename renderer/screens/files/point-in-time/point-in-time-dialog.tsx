// As of when? A moment that is typed, the moment before one of the last changes, or now.
import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { useServices } from '../../../api/services.ts';
import { actorName, lastChanges } from '../../../model/files/history-view.ts';
import { localDateTime, parsePastTime } from '../../../model/files/point-in-time.ts';
import { fullTime } from '../../../model/format.ts';
import { Button } from '../../../parts/buttons/button.tsx';
import { FormDialog } from '../../../parts/dialogs/form-dialog.tsx';
import { Time } from '../../../parts/feedback/time.tsx';
import { Field } from '../../../parts/fields/field.tsx';

/** Changes that are offered as moments; others are typed. */
const changesMax = 4;
const changesRead = 200;

export function PointInTimeDialog({
  workspaceId,
  folder,
  atMs,
  onMoment,
  onClose,
}: {
  readonly workspaceId: string;
  readonly folder: string;
  /** The moment that is shown; null: now. */
  readonly atMs: number | null;
  readonly onMoment: (atMs: number | null) => void;
  readonly onClose: () => void;
}): ReactElement {
  const { client } = useServices();
  const [typed, setTyped] = useState(atMs === null ? '' : localDateTime(atMs));
  const chosen = parsePastTime(typed);
  const changes = useQuery({
    queryKey: ['as-of-changes', workspaceId, folder],
    queryFn: async ({ signal }) =>
      await client.history.page(workspaceId, folder, { below: true, limit: changesRead, signal }),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const completeSince = changes.data?.retention.completeSince;
  return (
    <FormDialog
      title={`${folder === '/' ? 'Everything' : folder} as of…`}
      submit="Show"
      disabledReason={chosen === null ? 'Choose a moment first.' : null}
      note="Nothing is changed by looking."
      wide
      onSubmit={() => chosen !== null && onMoment(chosen)}
      onClose={onClose}
    >
      <Field
        label="Moment"
        hint={
          completeSince === undefined
            ? 'In your time zone. Every moment since the first file is kept.'
            : `In your time zone. All is kept since ${fullTime(Date.parse(completeSince))}.`
        }
        error={typed !== '' && chosen === null ? 'A date and a time that are past.' : null}
      >
        {(wiring) => (
          <input
            {...wiring}
            className="input moment"
            type="datetime-local"
            step="0.001"
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        )}
      </Field>
      <ul className="moments" aria-label="Before a change">
        {atMs === null ? null : (
          <li>
            <Button kind="ghost" onClick={() => onMoment(null)}>
              Now
            </Button>
          </li>
        )}
        {lastChanges(changes.data?.entries ?? [], changesMax).map(({ entry, files }) => (
          <li key={entry.batch}>
            <Button kind="ghost" onClick={() => setTyped(localDateTime(Date.parse(entry.at) - 1))}>
              Before {actorName(entry)} changed {files}
            </Button>{' '}
            <Time at={entry.at} as="ago" />
          </li>
        ))}
      </ul>
    </FormDialog>
  );
}
