// The third step: creates a token for the first program and shows it once.
import { useMutation } from '@tanstack/react-query';
import { type ReactElement, useEffect, useState } from 'react';
import type { Workspace } from '../../../server/contract/workspaces.ts';
import { mirrorOf, useDisabledReason, useServices, useStatus } from '../../api/services.ts';
import { setUnsavedChangesPrompt } from '../../location/unsaved-changes.ts';
import { plural } from '../../model/format.ts';
import { mirrorStatus } from '../../model/mirror/mirror-view.ts';
import { Button } from '../../parts/buttons/button.tsx';
import { TokenText } from '../../parts/dialogs/created-token.tsx';
import { Dialog } from '../../parts/dialogs/dialog.tsx';
import { DialogBody } from '../../parts/dialogs/dialog-body.tsx';
import { FailureText } from '../../parts/feedback/note.tsx';
import { Status } from '../../parts/feedback/status.tsx';
import type { FirstRunStep } from './steps.ts';

/** 30 days: long enough for a trial, short enough for a forgotten token. */
const lifetimeS = 30 * 86_400;

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
      await client.tokens.create(workspace.workspaceId, { agent: 'my-agent', ttlSeconds: lifetimeS }),
  });
  return (
    <div className="first-run-form">
      <h1>Copy a token</h1>
      <p className="soft">
        Each program that uses <b>{workspace.name}</b> needs a token. This one can read and write and expires
        in 30 days; create tokens with fewer permissions in Settings.
      </p>
      <p className="row wrap">
        {mirror === undefined ? <Status kind="ok" word="Serving" /> : <Status {...mirrorStatus(mirror)} />}
        <span className="soft">{plural(mirror?.files ?? workspace.files, 'file')}</span>
        {mirror === undefined ? null : <span className="mono faint wrap-anywhere">{mirror.dir}</span>}
      </p>
      {mutation.data === undefined ? null : <TokenText created={mutation.data} />}
      <FailureText error={mutation.error} />
      <div className="row wrap">
        {mutation.data === undefined ? (
          <>
            <Button
              kind="primary"
              icon="key"
              disabledReason={disabledReason ?? (mutation.isPending ? 'Creating token…' : null)}
              onClick={() => mutation.mutate()}
            >
              Create token
            </Button>
            <Button kind="ghost" onClick={() => onGo('webhook')}>
              Continue without token
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
            I have copied it: continue
          </Button>
        )}
      </div>
      {mutation.data === undefined ? null : <LeavePrompt />}
    </div>
  );
}

/** Asks before the page with the token is left: the token is shown only once. */
function LeavePrompt(): ReactElement | null {
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
          The token is shown only once. If you have not copied it, create another one in Settings, Access
          tokens.
        </p>
      </DialogBody>
    </Dialog>
  );
}
