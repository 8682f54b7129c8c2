// Chooses the point in time for which files are shown: a typed one, the one before a recent change, or now.
import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import type { HistoryPage } from '../../../../server/contract/history.ts';
import { describeError, useServices } from '../../../api/services.ts';
import { actorName, lastChanges } from '../../../model/files/history-view.ts';
import { localDateTime, parsePastTime, quickTimes } from '../../../model/files/point-in-time.ts';
import { fullTime } from '../../../model/format.ts';
import { Button } from '../../../parts/buttons/button.tsx';
import { FormDialog } from '../../../parts/dialogs/form-dialog.tsx';
import { Time } from '../../../parts/feedback/time.tsx';
import { Field } from '../../../parts/fields/field.tsx';
import { TimeInput } from '../../../parts/fields/time-input.tsx';
import { useDebounced } from '../../../parts/fields/use-debounced.ts';
import { restoreCounts } from './restore-preview.tsx';
import { useRestorePreview } from './use-restore-preview.ts';

/** Recent changes that are offered. */
const changesMax = 4;
/** Entries that are loaded to find them. */
const entriesMax = 200;

export function PointInTimeDialog({
  workspaceId,
  folder,
  atMs,
  onChoose,
  onClose,
}: {
  readonly workspaceId: string;
  readonly folder: string;
  /** The point in time that is shown; null: now. */
  readonly atMs: number | null;
  readonly onChoose: (atMs: number | null) => void;
  readonly onClose: () => void;
}): ReactElement {
  const { client } = useServices();
  const [typed, setTyped] = useState(atMs === null ? '' : localDateTime(atMs));
  const chosenMs = parsePastTime(typed);
  const { data } = useQuery({
    queryKey: ['as-of-changes', workspaceId, folder],
    queryFn: async ({ signal }) =>
      await client.history.page(workspaceId, folder, { below: true, limit: entriesMax, signal }),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const completeSince = data?.retention.completeSince;
  return (
    <FormDialog
      title={`${folder === '/' ? 'All files' : folder} as of…`}
      submit="Show"
      disabledReason={chosenMs === null ? 'Choose a time first.' : null}
      note="Read-only view"
      wide
      onSubmit={() => chosenMs !== null && onChoose(chosenMs)}
      onClose={onClose}
    >
      <Field
        label="Time"
        hint={
          completeSince === undefined
            ? 'In your time zone. History is complete.'
            : `In your time zone. History is complete since ${fullTime(Date.parse(completeSince))}.`
        }
        error={typed !== '' && chosenMs === null ? 'Enter a date and time in the past.' : null}
      >
        {(wiring) => <TimeInput wiring={wiring} value={typed} onChange={setTyped} />}
      </Field>
      <fieldset className="row wrap quick-times">
        <legend className="reader-only">Quick choices</legend>
        {quickTimes.map(({ text, atMs: at }) => (
          <Button key={text} onClick={() => setTyped(localDateTime(at(Date.now())))}>
            {text}
          </Button>
        ))}
      </fieldset>
      <WhatRestores workspaceId={workspaceId} folder={folder} atMs={chosenMs} />
      <RecentChanges
        entries={data?.entries ?? []}
        onNow={atMs === null ? null : () => onChoose(null)}
        onBefore={(changedAtMs) => setTyped(localDateTime(changedAtMs - 1))}
      />
    </FormDialog>
  );
}

/** What a restore of the chosen time would change. */
function WhatRestores({
  workspaceId,
  folder,
  atMs,
}: {
  readonly workspaceId: string;
  readonly folder: string;
  readonly atMs: number | null;
}): ReactElement {
  const settledMs = useDebounced(atMs);
  const { data, error } = useRestorePreview(workspaceId, folder, settledMs);
  // The line is there from the beginning, so that it moves nothing when a time is chosen.
  let text = 'Choose a time to see what a restore changes.';
  if (atMs !== null && data !== undefined && settledMs === atMs)
    text = `A restore of this time changes: ${restoreCounts(data) ?? 'nothing'}.`;
  else if (atMs !== null)
    text =
      error === null
        ? 'Calculating what a restore changes…'
        : `Could not calculate what a restore changes. ${describeError(error)}`;
  return (
    <p className="soft" role="status">
      {text}
    </p>
  );
}

function RecentChanges({
  entries,
  onNow,
  onBefore,
}: {
  readonly entries: HistoryPage['entries'];
  /** null: the current files are shown. */
  readonly onNow: (() => void) | null;
  readonly onBefore: (changedAtMs: number) => void;
}): ReactElement {
  return (
    <ul className="recent-changes" aria-label="Recent changes">
      {onNow === null ? null : (
        <li>
          <Button kind="ghost" onClick={onNow}>
            Now
          </Button>
        </li>
      )}
      {lastChanges(entries, changesMax).map(({ entry, files }) => (
        <li key={entry.batch}>
          <Button kind="ghost" onClick={() => onBefore(Date.parse(entry.at))}>
            Before {actorName(entry)} changed {files}
          </Button>{' '}
          <Time at={entry.at} as="ago" />
        </li>
      ))}
    </ul>
  );
}
