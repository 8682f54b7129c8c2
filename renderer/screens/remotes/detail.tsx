// One remote: what is to send and to receive, what needs a decision, its problems, the newest changes, and its actions.
import { useMutation } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { Link } from 'wouter';
import type { Remote } from '../../../sdk/index.ts';
import type { Workspace } from '../../../server/contract/workspaces.ts';
import { useDisabledReason, useServices, workspaceName } from '../../api/services.ts';
import { useKeys } from '../../keys.ts';
import { filesHref } from '../../location/app-location.ts';
import { screenHref } from '../../location/screen-location.ts';
import { count, plural, size } from '../../model/format.ts';
import { remoteHost, remoteStatus } from '../../model/mirror/remote-view.ts';
import { Button } from '../../parts/buttons/button.tsx';
import { Identifier } from '../../parts/buttons/copy.tsx';
import { ConfirmDialog } from '../../parts/dialogs/confirm-dialog.tsx';
import { announce } from '../../parts/feedback/answers.ts';
import { ErrorBlock, RetryAt } from '../../parts/feedback/error-block.tsx';
import { Fact } from '../../parts/feedback/fact.tsx';
import { FailureText } from '../../parts/feedback/note.tsx';
import { PathText } from '../../parts/feedback/path-text.tsx';
import { Status } from '../../parts/feedback/status.tsx';
import { Time } from '../../parts/feedback/time.tsx';
import { DetailHead } from '../../parts/tables/detail-head.tsx';
import { RecentChanges } from './recent-changes.tsx';
import { RemoteTrouble } from './trouble.tsx';

interface DetailProps {
  readonly remote: Remote;
  readonly workspaces: readonly Workspace[];
  readonly onClose: () => void;
}

export function RemoteDetail({ remote, workspaces, onClose }: DetailProps): ReactElement {
  const name = workspaceName(workspaces, remote.workspaceId);
  return (
    <>
      <DetailHead
        title={name}
        titleClass="run-title ellipsis"
        side={<Status {...remoteStatus(remote)} pill />}
        facts={
          <>
            <span>{remoteHost(remote)}</span>
            <span className="mono">{remote.remoteWorkspaceId}</span>
            {remote.path === '/' ? null : <span>Only {remote.path}</span>}
          </>
        }
        onClose={onClose}
      />
      <div className="detail-body remote-body">
        <RemoteTrouble remote={remote} name={name} />
        <Counts remote={remote} />
        {remote.conflicts === 0 ? null : (
          <p>
            <Link href={screenHref('conflicts', null, { workspace: remote.workspaceId })}>
              {plural(remote.conflicts, 'conflict')} to resolve
            </Link>
          </p>
        )}
        <Problems remote={remote} />
        <RecentChanges remote={remote} />
        <Settings remote={remote} />
      </div>
      <Actions remote={remote} name={name} onClose={onClose} />
    </>
  );
}

function Counts({ remote }: { readonly remote: Remote }): ReactElement {
  const { pendingLocal, pendingRemote, lastSyncAt, files } = remote;
  return (
    <dl className="remote-counts">
      <div>
        <dt>to send</dt>
        <dd>{count(pendingLocal)}</dd>
      </div>
      <div>
        <dt>to receive</dt>
        <dd>{count(pendingRemote)}</dd>
      </div>
      <div>
        <dt>synced files</dt>
        <dd>{count(files)}</dd>
      </div>
      <div>
        <dt>last sync</dt>
        <dd>{lastSyncAt === null ? 'never' : <Time at={lastSyncAt} as="clock" />}</dd>
      </div>
    </dl>
  );
}

/** Problems that are shown; further ones are counted. */
const problemsMax = 20;

function Problems({ remote }: { readonly remote: Remote }): ReactElement | null {
  const { problems, problemList, workspaceId } = remote;
  if (problems === 0) return null;
  const shown = problemList.slice(0, problemsMax);
  const more = problems - shown.length;
  return (
    <section className="work-section" aria-labelledby="remote-problems">
      <h3 id="remote-problems">{plural(problems, 'problem')}</h3>
      {shown.map(({ kind, path, cause, next, retryAt }) => (
        <ErrorBlock
          key={`${kind} ${path}`}
          tone="warn"
          cause={cause}
          path={
            <Link href={filesHref(workspaceId, path, 'file')}>
              <PathText path={path} />
            </Link>
          }
          next={next}
          retry={<RetryAt at={retryAt} otherwise="Retries automatically when the file changes." />}
        />
      ))}
      {more > 0 ? <p className="faint">{plural(more, 'more problem')}</p> : null}
    </section>
  );
}

function Settings({ remote }: { readonly remote: Remote }): ReactElement {
  const {
    url,
    path,
    ignoreRules,
    tokenFile,
    tokenExpiresAt,
    upBytesPerSecond,
    downBytesPerSecond,
    remoteId,
  } = remote;
  const perSecond = (bytes: number | null): string =>
    bytes === null ? 'no limit' : `${size(bytes)} a second`;
  return (
    <section className="work-section" aria-labelledby="remote-settings">
      <h3 id="remote-settings">Settings</h3>
      <dl className="facts">
        <Fact name="Address">
          <Identifier text={url} what="the address" />
        </Fact>
        <Fact name="Directory">{path === '/' ? 'All files' : <span className="mono">{path}</span>}</Fact>
        {ignoreRules === '' ? null : (
          <Fact name="Not synced">
            <code className="mono rules">{ignoreRules}</code>
          </Fact>
        )}
        <Fact name="Token file">
          <Identifier text={tokenFile} what="the path of the token file" />
        </Fact>
        <Fact name="Token">
          {tokenExpiresAt === null ? (
            'The token does not state when it expires'
          ) : (
            <span>
              Expires <Time at={tokenExpiresAt} as="date" />
            </span>
          )}
        </Fact>
        <Fact name="Limits">
          Sending: {perSecond(upBytesPerSecond)}, receiving: {perSecond(downBytesPerSecond)}
        </Fact>
        <Fact name="Id">
          <Identifier text={remoteId} what="the id of the remote" />
        </Fact>
      </dl>
    </section>
  );
}

function Actions({
  remote,
  name,
  onClose,
}: {
  readonly remote: Remote;
  readonly name: string;
  readonly onClose: () => void;
}): ReactElement {
  const { client, link } = useServices();
  const disabledReason = useDisabledReason();
  const [isRemoving, setRemoving] = useState(false);
  const { workspaceId, remoteId, state } = remote;
  const isPaused = state === 'paused';
  const connects = state === 'offline' || state === 'unauthorized' || state === 'error';
  const toggle = useMutation({
    mutationFn: async () =>
      isPaused || connects
        ? await client.remotes.resume(workspaceId, remoteId)
        : await client.remotes.pause(workspaceId, remoteId),
    onSuccess: () =>
      announce(isPaused ? `Syncing ${name} again.` : connects ? `Connecting ${name}.` : `${name} is paused.`),
    onSettled: () => link.tryNow(),
  });
  const toggleDisabled = disabledReason ?? (toggle.isPending ? 'Working…' : null);
  const run = (): void => {
    if (toggleDisabled === null && state !== 'halted') toggle.mutate();
  };
  useKeys({ p: run });
  return (
    <div className="detail-foot">
      {state === 'halted' ? null : (
        <Button
          kind={isPaused || connects ? 'primary' : 'plain'}
          icon={isPaused ? 'resume' : connects ? 'moving' : 'paused'}
          shortcut="P"
          disabledReason={toggleDisabled}
          onClick={run}
        >
          {isPaused ? 'Resume' : connects ? 'Try now' : 'Pause'}
        </Button>
      )}
      <Button icon="deleted" disabledReason={disabledReason} onClick={() => setRemoving(true)}>
        Remove remote…
      </Button>
      <FailureText error={toggle.error} />
      {isRemoving ? (
        <ConfirmDialog
          title={`Remove the remote of ${name}?`}
          confirm="Remove remote"
          danger
          onConfirm={async () => {
            await client.remotes.remove(workspaceId, remoteId);
            announce(`The remote of ${name} is removed.`);
            link.tryNow();
            onClose();
          }}
          onClose={() => setRemoving(false)}
        >
          <p>
            Both workspaces keep their files. Changes are no longer synced with {remoteHost(remote)}
            {remote.pendingLocal === 0
              ? '.'
              : `; ${plural(remote.pendingLocal, 'change')} of this computer will not be sent.`}
          </p>
        </ConfirmDialog>
      ) : null}
    </div>
  );
}
