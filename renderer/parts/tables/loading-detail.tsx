// Replaces a detail that is loading, not found, or failed to load.
import type { ReactElement } from 'react';
import { NotFoundError } from '../../../sdk/index.ts';
import { Button } from '../buttons/button.tsx';
import { QueryError } from '../feedback/load-error.tsx';
import { LoadingRows } from './work-list.tsx';

export function LoadingDetail({
  query,
  id,
  notFound,
  why,
  onClose,
}: {
  readonly query: {
    readonly isError: boolean;
    readonly error: Error | null;
    readonly refetch: () => unknown;
  };
  readonly id: string;
  /** `Operation not found` */
  readonly notFound: string;
  /** Follows the id: `is not in this workspace.` */
  readonly why: string;
  readonly onClose: () => void;
}): ReactElement {
  if (!query.isError) return <LoadingRows rowPx={32} />;
  if (query.error instanceof NotFoundError) {
    return (
      <div className="empty">
        <h2>{notFound}</h2>
        <p>
          <span className="mono">{id}</span> {why}
        </p>
        <div className="row">
          <Button onClick={onClose}>Back to the list</Button>
        </div>
      </div>
    );
  }
  return <QueryError query={query} path={id} />;
}
