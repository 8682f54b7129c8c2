// What could not be read, in the four parts: it is tried again by itself, or now. The answer's code and correlation id stand
// behind "Details", for whoever helps.
import type { ReactElement } from 'react';
import { MooringError } from '../../../sdk/index.ts';
import { describeError, useDisabledReason, useStatus } from '../../api/services.ts';
import { Button } from '../buttons/button.tsx';
import { Identifier } from '../buttons/copy.tsx';
import { ErrorBlock } from './error-block.tsx';

export function LoadError({
  error,
  what,
  path,
  again = 'Read it again',
  retry,
  onAgain,
}: {
  readonly error: unknown;
  /** `the tokens`, where the place does not say what was read. */
  readonly what?: string;
  /** Or the id of a workspace, which is shown by its name. */
  readonly path: string;
  /** Names the button. */
  readonly again?: string;
  readonly retry: string;
  readonly onAgain: () => void;
}): ReactElement {
  const disabledReason = useDisabledReason();
  const cause = describeError(error);
  const named = useStatus()?.workspaces.find((workspace) => workspace.workspaceId === path)?.name;
  return (
    <ErrorBlock
      tone="warn"
      cause={what === undefined ? cause : `Reading ${what} failed. ${cause}`}
      path={named ?? <span className="mono">{path}</span>}
      next={
        <Button disabledReason={disabledReason} onClick={onAgain}>
          {again}
        </Button>
      }
      retry={retry}
      details={error instanceof MooringError ? <AnswerDetails error={error} /> : null}
    />
  );
}

function AnswerDetails({ error }: { readonly error: MooringError }): ReactElement {
  return (
    <details className="error-details">
      <summary>Details</summary>
      <div className="row wrap">
        <Identifier text={`${error.status} ${error.code}`} what="the code" />
        <Identifier text={error.correlationId} what="the correlation id" />
      </div>
    </details>
  );
}
