// A token for the first program, made with one press and shown once.
import { useMutation } from '@tanstack/react-query';
import { type ReactElement, useEffect, useState } from 'react';
import type { Workspace } from '../../../server/contract/workspaces.ts';
import { describeError, mirrorOf, useDisabledReason, useServices, useStatus } from '../../api/services.ts';
import { setUnsavedChangesPrompt } from '../../location/unsaved-changes.ts';
import { plural } from '../../model/format.ts';
import { mirrorStatus } from '../../model/mirror/mirror-view.ts';
import { Button } from '../../parts/buttons/button.tsx';
import { TokenText } from '../../parts/dialogs/created-token.tsx';
import { Dialog } from '../../parts/dialogs/dialog.tsx';
import { DialogBody } from '../../parts/dialogs/dialog-body.tsx';
import { Status } from '../../parts/feedback/status.tsx';
import type { FirstRunStep } from './steps.ts';

/** Thirty days: long enough to try it, short enough to be forgotten without harm. */
const lifeS = 30 * 86_400;

export function TokenStep({
  workspace,
  onGo,
}: {
  readonly workspace: Workspace;
  readonly onGo: (step: FirstRunStep) => void;
}): ReactElement {
  const { client } = useServices();
  const disabledReason = useDisabledReason();
  const mirror = mirrorOf(useStatus()?.mirrors ?? [], workspace.workspaceId);
  const mutation = useMutation({
    mutationFn: async () =>
      await client.tokens.create(workspace.workspaceId, { agent: 'my-agent', ttlSeconds: lifeS }),
  });
  return (
    <div className="first-run-form">
      <h1>Copy a token</h1>
      <p className="soft">
        Each program that works with <b>{workspace.name}</b> brings a token. This one reads and writes, and
        ends after 30 days; Settings makes others with narrower rights.
      </p>
      <p className="row wrap">
        {mirror === undefined ? <Status kind="ok" word="Serving" /> : <Status {...mirrorStatus(mirror)} />}
        <span className="soft">{plural(mirror?.files ?? workspace.files, 'file')}</span>
        {mirror === undefined ? null : <span className="mono faint wrap-anywhere">{mirror.dir}</span>}
      </p>
      {mutation.data === undefined ? null : <TokenText created={mutation.data} />}
      {mutation.isError ? (
        <p className="hint bad" role="alert">
          {describeError(mutation.error)}
        </p>
      ) : null}
      <div className="row wrap">
        {mutation.data === undefined ? (
          <>
            <Button
              kind="primary"
              icon="key"
              disabledReason={disabledReason ?? (mutation.isPending ? 'It is being made.' : null)}
              onClick={() => mutation.mutate()}
            >
              Create token
            </Button>
            <Button kind="ghost" onClick={() => onGo('webhook')}>
              Go on without one
            </Button>
          </>
        ) : (
          <Button
            kind="primary"
            onClick={() => {
              setUnsavedChangesPrompt(null);
              onGo('webhook');
            }}
          >
            I have copied it: next
          </Button>
        )}
      </div>
      {mutation.data === undefined ? null : <LeaveQuestion />}
    </div>
  );
}

/** Asks before the page with the token is left by a link, a key or Back: the token is shown once. */
function LeaveQuestion(): ReactElement | null {
  const [leave, setLeave] = useState<(() => void) | null>(null);
  useEffect(() => {
    setUnsavedChangesPrompt({ losesNothing: () => false, ask: (go) => setLeave(() => go) });
    return () => setUnsavedChangesPrompt(null);
  }, []);
  if (leave === null) return null;
  const stay = (): void => setLeave(null);
  return (
    <Dialog title="Leave without the token?" onClose={stay}>
      <DialogBody
        actions={
          <>
            <Button onClick={stay}>Stay</Button>
            <Button kind="danger" onClick={leave}>
              Leave
            </Button>
          </>
        }
      >
        <p className="soft">
          The token is shown only here. If you have not copied it, create another one in Settings, Access
          tokens.
        </p>
      </DialogBody>
    </Dialog>
  );
}
