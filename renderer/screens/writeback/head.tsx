// The heading of Writeback, with a retry of all failed operations.
import type { ReactElement } from 'react';
import { useDisabledReason } from '../../api/services.ts';
import { count } from '../../model/format.ts';
import { Button } from '../../parts/buttons/button.tsx';

export function WritebackHead({
  workspaceName,
  failed,
  onRetry,
}: {
  readonly workspaceName: string;
  /** Number of dead-lettered operations. */
  readonly failed: number;
  readonly onRetry: () => void;
}): ReactElement {
  const disabledReason = useDisabledReason();
  return (
    <div className="screen-head">
      <h1>Writeback</h1>
      <span className="soft ellipsis">Operations of {workspaceName} by provider</span>
      {failed === 0 ? null : (
        <span className="end">
          <Button icon="replay" disabledReason={disabledReason} onClick={onRetry}>
            Retry {count(failed)} failed…
          </Button>
        </span>
      )}
    </div>
  );
}
