// The state of a path in its mirrors, with the reason as tooltip. Nothing if no mirror contains the path.
// In a list the good state is silent: only readers hear it.
import type { ReactElement } from 'react';
import type { PathState } from '../../../sdk/index.ts';
import type { Mirror } from '../../../server/contract/workspaces.ts';
import { pathStatus, stateReason } from '../../model/mirror/path-state-view.ts';
import { Status } from './status.tsx';

export function PathStatus({
  state,
  mirrors,
  pill = false,
  isQuiet = false,
}: {
  readonly state: PathState | undefined;
  readonly mirrors: readonly Mirror[];
  readonly pill?: boolean;
  readonly isQuiet?: boolean;
}): ReactElement | null {
  const view = state === undefined ? null : pathStatus(state, mirrors);
  if (state === undefined || view === null) return null;
  return (
    <span
      className={isQuiet && view.kind === 'ok' ? 'reader-only' : 'path-status'}
      title={stateReason(state)}
    >
      <Status {...view} pill={pill} />
    </span>
  );
}
