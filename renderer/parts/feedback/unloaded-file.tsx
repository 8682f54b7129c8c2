// Replaces the content of a file that is not loaded: a large file, or a failed load.
import type { ReactElement } from 'react';
import { useDisabledReason } from '../../api/services.ts';
import type { FileQuery } from '../../api/use-file.ts';
import { size } from '../../model/format.ts';
import { Button } from '../buttons/button.tsx';
import { LoadError } from './load-error.tsx';

export function UnloadedFile({
  path,
  query: { error, unloadedBytes, load },
  isPast = false,
}: {
  readonly path: string;
  readonly query: FileQuery;
  /** A point in time is shown. */
  readonly isPast?: boolean;
}): ReactElement | null {
  const disabledReason = useDisabledReason();
  if (unloadedBytes !== null) {
    return (
      <div className="empty">
        <h2>Large file ({size(unloadedBytes)})</h2>
        <p>Large files are loaded on request.</p>
        <div className="row">
          <Button disabledReason={disabledReason} onClick={load}>
            Load file
          </Button>
        </div>
      </div>
    );
  }
  if (error === null) return null;
  return (
    <div className="binary">
      <LoadError
        error={error}
        path={path}
        retry={
          isPast ? 'No automatic retry.' : 'Retries automatically when the agent responds or the file changes'
        }
        onAgain={load}
      />
    </div>
  );
}
