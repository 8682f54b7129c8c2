// A new invite link, which nothing shows again.
import { useMutation } from '@tanstack/react-query';
import { type ReactElement, useEffect } from 'react';
import type { Invite } from '../../../../server/contract/users.ts';
import { describeError, useServices } from '../../../api/services.ts';
import { useIsOwner } from '../../../api/viewer.ts';
import { Button } from '../../../parts/buttons/button.tsx';
import { CopyButton } from '../../../parts/buttons/copy.tsx';
import { Dialog } from '../../../parts/dialogs/dialog.tsx';
import { DialogBody } from '../../../parts/dialogs/dialog-body.tsx';
import { ShownOnceDialog } from '../../../parts/dialogs/shown-once-dialog.tsx';
import { Time } from '../../../parts/feedback/time.tsx';

interface Invited {
  readonly userId: string;
  readonly name: string;
}

/** Owners of the hub make a link for everybody, those of a workspace for its new users. */
export function useInvite(workspaceId: string) {
  const { client } = useServices();
  const isHubOwner = useIsOwner();
  return async ({ userId }: Invited): Promise<Invite> =>
    isHubOwner
      ? await client.users.invite(userId)
      : await client.users.inviteToWorkspace(workspaceId, userId);
}

/** Makes the link when it is shown. */
export function InviteDialog({
  workspaceId,
  user,
  onClose,
}: {
  readonly workspaceId: string;
  readonly user: Invited;
  readonly onClose: () => void;
}): ReactElement {
  const { mutate, data, error } = useMutation({ mutationFn: useInvite(workspaceId) });
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(() => mutate(user), []);
  if (data !== undefined) return <InviteLink name={user.name} invite={data} onClose={onClose} />;
  return (
    <Dialog title={`Invite link for ${user.name}`} onClose={onClose}>
      <DialogBody
        error={error === null ? null : describeError(error)}
        actions={<Button onClick={onClose}>Close</Button>}
      >
        <p className="soft">{error === null ? 'Creating the link…' : 'No link was created.'}</p>
      </DialogBody>
    </Dialog>
  );
}

export function InviteLink({
  name,
  invite,
  onClose,
}: {
  readonly name: string;
  readonly invite: Invite;
  readonly onClose: () => void;
}): ReactElement {
  const join = `mooring hub join '${invite.url}' --token-file hub.token`;
  return (
    <ShownOnceDialog title={`Invite link for ${name}`} what="link" onClose={onClose}>
      <p className="soft">
        Send it to {name} in private: the first person who opens it signs in as {name}, once, until{' '}
        <Time at={invite.expiresAt} as="date" />. A new link replaces it.
      </p>
      <div className="field">
        <span className="label">Link</span>
        <div className="code-line">
          <code className="code">{invite.url}</code>
          <CopyButton text={invite.url} what="the link" />
        </div>
      </div>
      <div className="field">
        <span className="label">Or, on a desktop</span>
        <div className="code-line">
          <code className="code">{join}</code>
          <CopyButton text={join} what="the command" />
        </div>
      </div>
    </ShownOnceDialog>
  );
}
