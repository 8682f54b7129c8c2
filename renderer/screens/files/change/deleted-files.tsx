// The files that were deleted lately, below the root of the workspace: path, who and when, and putting each back where it was.
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import type { HistoryEntry, MooringClient } from '../../../../sdk/index.ts';
import { describeError, useServices } from '../../../api/services.ts';
import { useLiveRefresh } from '../../../api/use-live-refresh.ts';
import { useRoleReason } from '../../../api/viewer.ts';
import { actorName } from '../../../model/files/history-view.ts';
import { plural } from '../../../model/format.ts';
import { parseId } from '../../../model/ids.ts';
import { Button } from '../../../parts/buttons/button.tsx';
import { Dialog } from '../../../parts/dialogs/dialog.tsx';
import { DialogBody } from '../../../parts/dialogs/dialog-body.tsx';
import { announce } from '../../../parts/feedback/answers.ts';
import { PathText } from '../../../parts/feedback/path-text.tsx';
import { Time } from '../../../parts/feedback/time.tsx';
import { FilterField } from '../../../parts/fields/filter-field.tsx';

/** Deletions of the list; older ones are found with a filter of the folder, or in the history of a point in time. */
const shownMax = 200;
/** Requests for a list whose first pages were short. */
const pagesMax = 5;

interface Deleted {
  readonly entries: readonly HistoryEntry[];
  readonly hasMore: boolean;
  readonly days: number;
}

export function DeletedFiles({
  workspaceId,
  onOpen,
  onClose,
}: {
  readonly workspaceId: string;
  readonly onOpen: (path: string) => void;
  readonly onClose: () => void;
}): ReactElement {
  const { client } = useServices();
  const [text, setText] = useState('');
  const queryKey = ['deleted-files', workspaceId];
  useLiveRefresh(workspaceId, queryKey);
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: async ({ signal }) => await readDeleted(client, workspaceId, signal),
    placeholderData: keepPreviousData,
  });
  const wanted = text.trim().toLowerCase();
  const shown = data?.entries.filter(({ path }) => path.toLowerCase().includes(wanted)) ?? [];
  return (
    <Dialog title="Recently deleted" onClose={onClose} wide>
      <DialogBody
        error={error === null ? null : describeError(error)}
        actions={
          <>
            <span className="faint grow">{footOf(data, shown.length)}</span>
            <Button onClick={onClose}>Close</Button>
          </>
        }
      >
        {data === undefined || data.entries.length === 0 ? null : (
          <FilterField
            label="Filter by path"
            position="grow"
            value={text}
            onChange={setText}
            onLeave={() => undefined}
          />
        )}
        {data === undefined ? (
          <p className="faint">Loading deletions…</p>
        ) : shown.length === 0 ? (
          <p className="faint">
            {data.entries.length === 0
              ? `Nothing was deleted in the last ${plural(data.days, 'day')}.`
              : `No deleted file matches “${text.trim()}”.`}
          </p>
        ) : (
          <ul className="setting-lines deleted-files">
            {shown.map((entry) => (
              <DeletedFile
                key={entry.revision}
                workspaceId={workspaceId}
                entry={entry}
                onOpen={() => onOpen(entry.path)}
                onRestored={() => void refetch()}
              />
            ))}
          </ul>
        )}
      </DialogBody>
    </Dialog>
  );
}

function footOf(data: Deleted | undefined, shown: number): string {
  if (data === undefined || data.entries.length === 0) return '';
  const counted = data.hasMore
    ? `The last ${plural(data.entries.length, 'deleted file')}`
    : plural(shown, 'deleted file');
  return `${counted}. Contents are kept for ${plural(data.days, 'day')}.`;
}

function DeletedFile({
  workspaceId,
  entry,
  onOpen,
  onRestored,
}: {
  readonly workspaceId: string;
  readonly entry: HistoryEntry;
  readonly onOpen: () => void;
  readonly onRestored: () => void;
}): ReactElement {
  const { client } = useServices();
  const disabledReason = useRoleReason(workspaceId, 'editor');
  const mutation = useMutation({
    mutationFn: async () => await putBack(client, workspaceId, entry),
    onSuccess: () => {
      announce(`Put back ${entry.path}.`);
      onRestored();
    },
  });
  return (
    <li>
      <span className="grow">
        <PathText path={entry.path} />
        <span className="second faint">
          {actorName(entry)}, <Time at={entry.at} as="ago" />
        </span>
        {mutation.isError ? (
          <span className="hint bad" role="alert">
            {describeError(mutation.error)}
          </span>
        ) : null}
      </span>
      {mutation.isSuccess ? (
        <Button onClick={onOpen}>Open</Button>
      ) : (
        <Button
          icon="undo"
          name={`Put back ${entry.path}`}
          disabledReason={mutation.isPending ? 'Restoring…' : disabledReason}
          onClick={() => mutation.mutate()}
        >
          {mutation.isPending ? 'Restoring…' : 'Put back'}
        </Button>
      )}
    </li>
  );
}

async function readDeleted(
  client: MooringClient,
  workspaceId: string,
  signal: AbortSignal,
): Promise<Deleted> {
  const entries: HistoryEntry[] = [];
  let cursor: string | undefined;
  let days = 0;
  for (let pages = 0; pages < pagesMax && entries.length < shownMax; pages += 1) {
    const page = await client.history.page(workspaceId, '/', {
      deleted: true,
      limit: shownMax - entries.length,
      signal,
      ...(cursor === undefined ? {} : { cursor }),
    });
    entries.push(...page.entries);
    days = page.retention.days;
    if (page.nextCursor === null) return { entries, hasMore: false, days };
    cursor = page.nextCursor;
  }
  return { entries, hasMore: true, days };
}

/** As it was before the deletion, as a new revision. */
async function putBack(
  client: MooringClient,
  workspaceId: string,
  { path, revision }: HistoryEntry,
): Promise<void> {
  await client.history.restore(workspaceId, { path, revision: `rev_${parseId(revision, 'rev') - 1}` });
}
