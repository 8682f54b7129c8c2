// A folder as it was at some moment: chosen, looked at, brought back, and taken back again.
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import type { Restored } from '../../../server/contract/history.ts';
import { describeError, useBlocked, useServices } from '../../api/services.ts';
import { useKeys } from '../../keys.ts';
import { fullTime } from '../../model/format.ts';
import { actorWords, lastChanges } from '../../model/history-view.ts';
import { localMoment, momentOf } from '../../model/moment.ts';
import { announce } from '../../parts/announcer.tsx';
import { Button } from '../../parts/button.tsx';
import { Field } from '../../parts/field.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { Time } from '../../parts/time.tsx';
import { RestorePreview, restoredSum } from './restore-preview.tsx';

/** Changes that are offered as moments; others are typed. */
const changesMax = 4;
const changesRead = 200;

interface Done {
  readonly text: string;
  /** The batch that takes it back; null: it was taken back, or nothing was changed. */
  readonly undo: string | null;
}

/** In the foot of a folder's list. `keys`: false while a file is open, whose history has keys of its own. */
export function FolderPast({
  workspaceId,
  folder,
  keys,
}: {
  readonly workspaceId: string;
  readonly folder: string;
  readonly keys: boolean;
}): ReactElement {
  const { client } = useServices();
  const blocked = useBlocked();
  const [asking, setAsking] = useState(false);
  const [done, setDone] = useState<Done | null>(null);
  const batch = done?.undo ?? null;
  const say = (next: Done): void => {
    setDone(next);
    announce(next.text);
  };
  const undo = useMutation({
    mutationFn: async (of: string) => await client.history.restore(workspaceId, { batch: of }),
    onSuccess: () => say({ text: 'The restore is taken back.', undo: null }),
    onError: (error) => say({ text: describeError(error), undo: batch }),
  });
  const takeBack = (): void => {
    if (batch !== null && blocked === null && !undo.isPending) undo.mutate(batch);
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
          blocked={blocked ?? (undo.isPending ? 'It is being done.' : null)}
          onClick={takeBack}
        >
          Undo
        </Button>
      )}
      <Button kind="ghost" icon="history" blocked={blocked} onClick={() => setAsking(true)}>
        As of…
      </Button>
      {asking ? (
        <AsOfDialog
          workspaceId={workspaceId}
          folder={folder}
          onClose={() => setAsking(false)}
          onRestored={(restored, atMs) => {
            setAsking(false);
            const text = `${restoredSum(restored)} of ${folder} as of ${fullTime(atMs)}.`;
            say({ text, undo: restored.batch ?? null });
          }}
        />
      ) : null}
    </span>
  );
}

function AsOfDialog({
  workspaceId,
  folder,
  onRestored,
  onClose,
}: {
  readonly workspaceId: string;
  readonly folder: string;
  readonly onRestored: (restored: Restored, atMs: number) => void;
  readonly onClose: () => void;
}): ReactElement {
  const { client } = useServices();
  const offline = useBlocked();
  const [typed, setTyped] = useState('');
  const atMs = momentOf(typed);
  const changes = useQuery({
    queryKey: ['as-of-changes', workspaceId, folder],
    queryFn: async ({ signal }) =>
      await client.history.page(workspaceId, folder, { below: true, limit: changesRead, signal }),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const preview = useQuery({
    queryKey: ['as-of-preview', workspaceId, folder, atMs],
    queryFn: async ({ signal }) =>
      await client.history.restore(
        workspaceId,
        { path: folder, at: new Date(atMs ?? 0), dryRun: true },
        { signal },
      ),
    enabled: atMs !== null,
    retry: false,
    gcTime: 0,
    staleTime: 0,
  });
  const restore = useMutation({
    mutationFn: async (at: number) =>
      await client.history.restore(workspaceId, { path: folder, at: new Date(at) }),
    onSuccess: (restored, at) => onRestored(restored, at),
  });
  const different = preview.data === undefined ? 0 : changedBy(preview.data);
  const error = restore.error ?? preview.error;
  return (
    <FormDialog
      title={`${folder === '/' ? 'Everything' : folder} as of…`}
      submit={
        different === 0 ? 'Restore' : `Restore ${preview.data === undefined ? '' : restoredSum(preview.data)}`
      }
      blocked={
        offline ??
        (restore.isPending
          ? 'It is being done.'
          : atMs === null
            ? 'Choose a moment first.'
            : preview.data === undefined
              ? 'It was not looked at yet.'
              : different === 0
                ? 'Nothing was different then.'
                : null)
      }
      error={error === null ? null : describeError(error)}
      note="What is there now stays in the history."
      wide
      onSubmit={() => atMs !== null && restore.mutate(atMs)}
      onClose={onClose}
    >
      <Field
        label="Moment"
        hint={
          changes.data?.retention.completeSince === undefined
            ? 'In your time zone. Every moment since the first file can be brought back.'
            : `In your time zone, since ${fullTime(Date.parse(changes.data.retention.completeSince))}.`
        }
        error={typed !== '' && atMs === null ? 'A date and a time that are past.' : null}
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
      {changes.data === undefined ? null : (
        <ul className="moments" aria-label="Before a change">
          {lastChanges(changes.data.entries, changesMax).map(({ entry, files }) => (
            <li key={entry.batch}>
              <Button kind="ghost" onClick={() => setTyped(localMoment(Date.parse(entry.at) - 1))}>
                Before {actorWords(entry)} changed {files}
              </Button>{' '}
              <Time at={entry.at} as="ago" />
            </li>
          ))}
        </ul>
      )}
      {preview.data !== undefined && different > 0 ? (
        <RestorePreview preview={preview.data} />
      ) : preview.data !== undefined ? (
        <p className="soft">Everything here is as it was then.</p>
      ) : preview.isFetching ? (
        <p className="faint">Looking what that would change.</p>
      ) : null}
    </FormDialog>
  );
}

function changedBy({ created, updated, deleted }: Restored): number {
  return created + updated + deleted;
}
