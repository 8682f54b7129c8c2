// A list that could not be read, in the four parts.
import type { ReactElement } from 'react';
import { agentUrl } from '../../api/desktop.ts';
import { describeError, useBlocked } from '../../api/services.ts';
import { Button } from '../../parts/button.tsx';
import { ErrorBlock } from '../../parts/error-block.tsx';

export function ReadingFailed({
  what,
  error,
  onAgain,
}: {
  /** `the tokens` */
  readonly what: string;
  readonly error: unknown;
  readonly onAgain: () => void;
}): ReactElement {
  const blocked = useBlocked();
  return (
    <ErrorBlock
      tone="warn"
      cause={`Reading ${what} failed. ${describeError(error)}`}
      path={<span className="mono">{agentUrl()}</span>}
      next={
        <Button blocked={blocked} onClick={onAgain}>
          Read again
        </Button>
      }
      retry="By itself, when the agent answers again."
    />
  );
}
