// Replaces the content of a file that is not loaded: a large file, or a failed load.
import { type ReactElement, useCallback, useState } from 'react';
import { useDisabledReason, useServices } from '../../api/services.ts';
import type { FileQuery } from '../../api/use-file.ts';
import { size } from '../../model/format.ts';
import { Button } from '../buttons/button.tsx';
import { HexView, type ReadPart } from '../viewers/hex-view.tsx';
import { LoadError } from './load-error.tsx';

export function UnloadedFile({
  workspaceId = null,
  path,
  query: { error, unloadedBytes, load },
  isPast = false,
}: {
  /** null: its bytes are not offered one by one. */
  readonly workspaceId?: string | null;
  readonly path: string;
  readonly query: FileQuery;
  /** A point in time is shown. */
  readonly isPast?: boolean;
}): ReactElement | null {
  const disabledReason = useDisabledReason();
  const [asHex, setAsHex] = useState(false);
  if (unloadedBytes !== null && asHex && workspaceId !== null)
    return <UnloadedHex workspaceId={workspaceId} path={path} sizeBytes={unloadedBytes} />;
  if (unloadedBytes !== null) {
    return (
      <div className="empty">
        <h2>Large file ({size(unloadedBytes)})</h2>
        <p>Large files are loaded on request.</p>
        <div className="row">
          <Button disabledReason={disabledReason} onClick={load}>
            Load file
          </Button>
          {workspaceId === null ? null : (
            <Button disabledReason={disabledReason} onClick={() => setAsHex(true)}>
              Show bytes
            </Button>
          )}
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

/** Reads only what is in view. */
function UnloadedHex({
  workspaceId,
  path,
  sizeBytes,
}: {
  readonly workspaceId: string;
  readonly path: string;
  readonly sizeBytes: number;
}): ReactElement {
  const { client } = useServices();
  const read = useCallback<ReadPart>(
    async (start, end, signal) => {
      const { stream } = await client.files.readRaw(workspaceId, path, { start, end, signal });
      return new Uint8Array(await new Response(stream).arrayBuffer());
    },
    [client, workspaceId, path],
  );
  return <HexView path={path} sizeBytes={sizeBytes} read={read} />;
}
