// Replaces the content of a file that is not loaded: a large file, or a failed load.
import { type ReactElement, useCallback, useState } from 'react';
import { useDisabledReason, useServices } from '../../api/services.ts';
import type { FileQuery } from '../../api/use-file.ts';
import { size } from '../../model/format.ts';
import { Button } from '../buttons/button.tsx';
import { HexView, type ReadPart } from '../viewers/hex-view.tsx';
import { LoadError } from './load-error.tsx';

/** The revision whose bytes are shown; null: the current one. */
interface BytesOf {
  readonly workspaceId: string;
  readonly revision: string | null;
}

export function UnloadedFile({
  path,
  query: { error, unloadedBytes, load },
  bytesOf = null,
  isPast = false,
}: {
  readonly path: string;
  readonly query: FileQuery;
  /** null: its bytes are not offered one by one. */
  readonly bytesOf?: BytesOf | null;
  /** A point in time is shown. */
  readonly isPast?: boolean;
}): ReactElement | null {
  const disabledReason = useDisabledReason();
  const [asHex, setAsHex] = useState(false);
  if (unloadedBytes !== null && asHex && bytesOf !== null)
    return <UnloadedHex {...bytesOf} path={path} sizeBytes={unloadedBytes} />;
  if (unloadedBytes !== null) {
    return (
      <div className="empty">
        <h2>Large file ({size(unloadedBytes)})</h2>
        <p>Large files are loaded on request.</p>
        <div className="row">
          <Button disabledReason={disabledReason} onClick={load}>
            Load file
          </Button>
          {bytesOf === null ? null : (
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

/** Reads only what is in view, all of one revision. */
function UnloadedHex({
  workspaceId,
  revision,
  path,
  sizeBytes,
}: BytesOf & {
  readonly path: string;
  readonly sizeBytes: number;
}): ReactElement {
  const { client } = useServices();
  const read = useCallback<ReadPart>(
    async (start, end, signal) => {
      const one = revision === null ? {} : { revision };
      const { stream } = await client.files.readRaw(workspaceId, path, { start, end, signal, ...one });
      return new Uint8Array(await new Response(stream).arrayBuffer());
    },
    [client, workspaceId, revision, path],
  );
  return <HexView path={path} sizeBytes={sizeBytes} read={read} />;
}
