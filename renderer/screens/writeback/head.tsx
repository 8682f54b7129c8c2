// The heading of Writeback, with the retry of all that failed.
import type { ReactElement } from 'react';
import { useDisabledReason } from '../../api/services.ts';
import { plural } from '../../model/format.ts';
import { Button } from '../../parts/buttons/button.tsx';

export function WritebackHead({
  workspaceName,
  failed,
  onRetry,
}: {
  readonly workspaceName: string;
  /** How many items ended for good. */
  readonly failed: number;
  readonly onRetry: () => void;
}): ReactElement {
  const disabledReason = useDisabledReason();
  return (
    <div className="screen-head">
      <h1>Writeback</h1>
      <span className="soft ellipsis">Changes of {workspaceName} on their way to providers</span>
      {failed === 0 ? null : (
        <span className="end">
          <Button icon="replay" disabledReason={disabledReason} onClick={onRetry}>
            Retry {plural(failed, 'failed', 'failed')}…
          </Button>
        </span>
      )}
    </div>
  );
}
