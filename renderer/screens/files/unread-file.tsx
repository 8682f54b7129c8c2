// What stands where a file's content would be: the question before a large one is read, or why reading failed.
import type { ReactElement } from 'react';
import { useDisabledReason } from '../../api/services.ts';
import { size } from '../../model/format.ts';
import { Button } from '../../parts/buttons/button.tsx';
import { LoadError } from '../../parts/feedback/load-error.tsx';
import type { FileReading } from './use-file.ts';

export function UnreadFile({
  path,
  reading: { error, unreadBytes, read },
  past = false,
}: {
  readonly path: string;
  readonly reading: FileReading;
  readonly past?: boolean;
}): ReactElement | null {
  const disabledReason = useDisabledReason();
  if (unreadBytes !== null) {
    return (
      <div className="empty">
        <h2>
          This file {past ? 'had' : 'has'} {size(unreadBytes)}
        </h2>
        <p>It is read only when you ask for it.</p>
        <div className="row">
          <Button disabledReason={disabledReason} onClick={read}>
            Read it now
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
          past
            ? 'None by itself: the past does not change.'
            : 'By itself, when the agent answers again or the file changes.'
        }
        onAgain={read}
      />
    </div>
  );
}
