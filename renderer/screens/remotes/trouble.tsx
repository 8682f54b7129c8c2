// What keeps a remote from syncing, and what to do: offline, no access, an error, deletions that wait for a decision.
import { useMutation } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import type { Remote } from '../../../sdk/index.ts';
import { useDisabledReason, useServices } from '../../api/services.ts';
import { plural } from '../../model/format.ts';
import { remoteHost } from '../../model/mirror/remote-view.ts';
import { Button } from '../../parts/buttons/button.tsx';
import { ConfirmDialog } from '../../parts/dialogs/confirm-dialog.tsx';
import { announce } from '../../parts/feedback/answers.ts';
import { ErrorBlock, RetryAt } from '../../parts/feedback/error-block.tsx';
import { FailureText, Note } from '../../parts/feedback/note.tsx';

interface TroubleProps {
  readonly remote: Remote;
  readonly name: string;
}

export function RemoteTrouble({ remote, name }: TroubleProps): ReactElement | null {
  const { state, cause, url, tokenFile, pendingLocal, nextTryAt } = remote;
  const address = <span className="mono">{url}</span>;
  switch (state) {
    case 'offline':
      return (
        <Note>
          <b>{name} works offline.</b>{' '}
          {pendingLocal === 0
            ? 'No changes wait here.'
            : `${plural(pendingLocal, 'change waits', 'changes wait')} here.`}{' '}
          {cause === null ? null : `${sentence(cause)} `}
          <RetryAt at={nextTryAt} otherwise="Retries automatically" />.
        </Note>
      );
    case 'unauthorized':
      return (
        <ErrorBlock
          tone="bad"
          cause={sentence(cause ?? 'The server refused the token')}
          pathLabel="Address"
          path={address}
          next={
            <>
              Save a new token in <span className="mono">{tokenFile}</span>.
            </>
          }
          retry="Retries automatically when the file has a new token."
        />
      );
    case 'error':
      return (
        <ErrorBlock
          tone="bad"
          cause={sentence(cause ?? 'The sync failed')}
          pathLabel="Address"
          path={address}
          next="Search the log for the request id, or run “mooring doctor”."
          retry={<RetryAt at={nextTryAt} otherwise="Retries with “Try now”." />}
        />
      );
    case 'halted':
      return <RemoteHalt remote={remote} name={name} />;
    default:
      return null;
  }
}

function sentence(text: string): string {
  const capital = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(capital) ? capital : `${capital}.`;
}

/** More deletions than the limit: they are applied, or the files are given back to the side that lost them. */
function RemoteHalt({ remote, name }: TroubleProps): ReactElement | null {
  const { client, link } = useServices();
  const disabledReason = useDisabledReason();
  const [isDeleting, setDeleting] = useState(false);
  const { workspaceId, remoteId, url, halt } = remote;
  const restore = useMutation({
    mutationFn: async () => await client.remotes.resume(workspaceId, remoteId, { answer: 'restore' }),
    onSuccess: () => announce(`Restoring the files of ${name}.`),
    onSettled: () => link.tryNow(),
  });
  if (halt === null) return null;
  const files = plural(halt.deletions, 'file');
  const lost = halt.side === 'here' ? `on ${remoteHost(remote)}` : `in ${name} on this computer`;
  const target = halt.side === 'here' ? `in ${name} on this computer` : `on ${remoteHost(remote)}`;
  return (
    <>
      <ErrorBlock
        tone="bad"
        alert
        cause={halt.cause}
        pathLabel="Address"
        path={<span className="mono">{url}</span>}
        next={halt.next}
        retry="No automatic retry. Until then nothing changes on either side."
      />
      <div className="row wrap">
        <Button
          kind="primary"
          icon="undo"
          disabledReason={disabledReason ?? (restore.isPending ? 'Restoring…' : null)}
          onClick={() => restore.mutate()}
        >
          {`Restore ${files}`}
        </Button>
        <Button
          kind="danger"
          icon="deleted"
          disabledReason={disabledReason}
          onClick={() => setDeleting(true)}
        >
          Apply deletions…
        </Button>
      </div>
      <FailureText error={restore.error} />
      {isDeleting ? (
        <ConfirmDialog
          title={`Delete ${files} ${target}?`}
          confirm={`Delete ${files}`}
          danger
          typed={`delete ${halt.deletions}`}
          onConfirm={async () => {
            await client.remotes.resume(workspaceId, remoteId, { answer: 'delete' });
            announce(`Deleting ${files} ${target}. History keeps their revisions.`);
            link.tryNow();
          }}
          onClose={() => setDeleting(false)}
        >
          <p>
            They were deleted {lost}. This deletes them {target} as well. Their revisions stay in history and
            can be restored.
          </p>
        </ConfirmDialog>
      ) : null}
    </>
  );
}
