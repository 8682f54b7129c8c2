// The browsers that are signed in, with their last use and expiry; sign one or all out.
import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import type { SignInSession } from '../../../server/contract/agent.ts';
import { useDisabledReason, useServices } from '../../api/services.ts';
import { plural } from '../../model/format.ts';
import { Button } from '../../parts/buttons/button.tsx';
import { ConfirmDialog } from '../../parts/dialogs/confirm-dialog.tsx';
import { announce } from '../../parts/feedback/answers.ts';
import { LoadError } from '../../parts/feedback/load-error.tsx';
import { Time } from '../../parts/feedback/time.tsx';
import { SkeletonRows } from '../../parts/tables/skeleton-rows.tsx';
import { actionsColumn, TableCard } from '../../parts/tables/table-card.tsx';
import { SectionHead } from './section-head.tsx';

export function BrowsersSection(): ReactElement {
  const { client, session } = useServices();
  const disabledReason = useDisabledReason();
  const [endsAll, setEndsAll] = useState(false);
  const [ending, setEnding] = useState<SignInSession | null>(null);
  const { data, error, refetch } = useQuery({
    queryKey: ['sign-in-sessions'],
    queryFn: async ({ signal }) => await client.agent.signIn.sessions({ signal }),
  });
  const reload = (): void => void refetch();
  return (
    <>
      <SectionHead
        title="Signed-in browsers"
        about={data === undefined ? undefined : `${data.length} signed in`}
      >
        <Button disabledReason={disabledReason} onClick={() => setEndsAll(true)}>
          Sign out everywhere…
        </Button>
      </SectionHead>
      {error === null ? null : <LoadError what="the signed-in browsers" error={error} onAgain={reload} />}
      {data === undefined ? (
        error === null ? (
          <SkeletonRows />
        ) : null
      ) : (
        <BrowserTable sessions={data} onEnd={setEnding} />
      )}
      <p className="hint">
        A browser stays signed in for 30 days after its last use, and for 180 days at most. The key of the
        sign-in cannot be copied out of the browser.
      </p>
      {endsAll ? (
        <EndAllDialog
          count={data?.length ?? 1}
          onEnd={async () => await session.signOut(true)}
          onClose={() => setEndsAll(false)}
        />
      ) : null}
      {ending === null ? null : (
        <EndDialog
          session={ending}
          onEnd={async () => {
            if (ending.isCurrent) return await session.signOut(false);
            await client.agent.signIn.endSession(ending.sessionId);
            announce(`${ending.name} is signed out.`);
            reload();
          }}
          onClose={() => setEnding(null)}
        />
      )}
    </>
  );
}

function BrowserTable({
  sessions,
  onEnd,
}: {
  readonly sessions: readonly SignInSession[];
  readonly onEnd: (session: SignInSession) => void;
}): ReactElement {
  const disabledReason = useDisabledReason();
  return (
    <TableCard columns={['Browser', 'Signed in', 'Last used', 'Expires', actionsColumn]}>
      {sessions.map((session) => (
        <tr key={session.sessionId}>
          <th scope="row">
            {session.name}
            {session.isCurrent ? <span className="tag">this browser</span> : null}
            {session.user === undefined ? null : <span className="tag">{session.user}</span>}
            <span className="second faint mono">{session.origin ?? 'unknown address'}</span>
          </th>
          <td className="soft">
            <Time at={session.createdAt} as="date" />
          </td>
          <td className="soft">
            <Time at={session.lastUsedAt} as="ago" />
          </td>
          <td className="soft">
            <Time at={session.expiresAt} as="date" />
          </td>
          <td className="actions">
            <Button disabledReason={disabledReason} onClick={() => onEnd(session)}>
              Sign out…<span className="reader-only"> {session.name}</span>
            </Button>
          </td>
        </tr>
      ))}
    </TableCard>
  );
}

function EndDialog({
  session,
  onEnd,
  onClose,
}: {
  readonly session: SignInSession;
  readonly onEnd: () => Promise<void>;
  readonly onClose: () => void;
}): ReactElement {
  return (
    <ConfirmDialog
      title={session.isCurrent ? 'Sign out of this browser?' : `Sign ${session.name} out?`}
      confirm="Sign out"
      danger
      onConfirm={onEnd}
      onClose={onClose}
    >
      <p>
        All tabs of {session.isCurrent ? 'this browser' : 'that browser'} are signed out immediately.{' '}
        {session.user === undefined ? (
          <>
            Mirrors keep running. <span className="mono">mooring open</span> signs in again.
          </>
        ) : (
          'To sign in again, use a new invite link or the OpenID provider of the hub.'
        )}
      </p>
    </ConfirmDialog>
  );
}

function EndAllDialog({
  count,
  onEnd,
  onClose,
}: {
  readonly count: number;
  readonly onEnd: () => Promise<void>;
  readonly onClose: () => void;
}): ReactElement {
  return (
    <ConfirmDialog
      title="Sign out everywhere?"
      confirm="Sign out everywhere"
      danger
      onConfirm={onEnd}
      onClose={onClose}
    >
      <p>
        {plural(count, 'browser')}, including this one, {count === 1 ? 'is' : 'are'} signed out immediately.
        Access tokens of programs remain valid.
      </p>
    </ConfirmDialog>
  );
}
