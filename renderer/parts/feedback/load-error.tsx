// A failed request as an error block with a Retry button. "Details" has code and correlation id, for support.
import type { ReactElement } from 'react';
import { MooringError } from '../../../sdk/index.ts';
import { agentUrl } from '../../api/desktop.ts';
import { describeError, useDisabledReason, useStatus } from '../../api/services.ts';
import { Button } from '../buttons/button.tsx';
import { Identifier } from '../buttons/copy.tsx';
import { ErrorBlock } from './error-block.tsx';

export function LoadError({
  error,
  what,
  path = agentUrl(),
  again = 'Retry',
  retry = 'Retries automatically when the agent responds.',
  onAgain,
}: {
  readonly error: unknown;
  /** `the tokens`, where the position does not show what failed. */
  readonly what?: string;
  /** A path, an address or an id; a workspace is shown by its name. */
  readonly path?: string;
  /** The label of the button. */
  readonly again?: string;
  readonly retry?: string;
  readonly onAgain: () => void;
}): ReactElement {
  const disabledReason = useDisabledReason();
  const cause = describeError(error);
  const named = useStatus()?.workspaces.find((workspace) => workspace.workspaceId === path)?.name;
  return (
    <ErrorBlock
      tone="warn"
      cause={what === undefined ? cause : `Could not load ${what}. ${cause}`}
      path={named ?? <span className="mono">{path}</span>}
      pathLabel={named === undefined ? labelOf(path) : 'Workspace'}
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

function labelOf(path: string): 'Path' | 'Address' | 'Id' {
  if (path.startsWith('/')) return 'Path';
  return path === agentUrl() ? 'Address' : 'Id';
}

/** The failure of a query, in the middle of a pane. */
export function QueryError({
  query,
  path,
  retry = 'Retries automatically every 5 s',
}: {
  readonly query: { readonly error: Error | null; readonly refetch: () => unknown };
  readonly path: string;
  readonly retry?: string;
}): ReactElement {
  return (
    <div className="binary">
      <LoadError error={query.error} path={path} retry={retry} onAgain={() => void query.refetch()} />
    </div>
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
