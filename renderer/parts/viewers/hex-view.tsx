// Bytes as hex, virtual. Bytes that are not loaded are read in pieces when they come into view.
import { type ReactElement, useEffect, useReducer, useRef, useState } from 'react';
import { describeError, useDisabledReason } from '../../api/services.ts';
import { nameOf } from '../../model/files/path.ts';
import { asciiText, bytesPerRow, hexText, offsetText } from '../../model/viewers/hex-rows.ts';
import { Button } from '../buttons/button.tsx';
import { Icon } from '../feedback/icon.tsx';
import { ReadingRegion } from '../feedback/reading-region.tsx';
import { useStable } from '../tables/use-stable.ts';
import { useVirtualRows } from '../tables/use-virtual-rows.ts';

const rowPx = 20;
const pieceBytes = 64 * 1024;
const piecesMax = 64;
/** Browsers do not scroll further. */
const rowsMax = 800_000;

/** Reads a part of the file. */
export type ReadPart = (start: number, end: number, signal: AbortSignal) => Promise<Uint8Array>;

export function HexView({
  path,
  sizeBytes,
  read,
}: {
  readonly path: string;
  readonly sizeBytes: number;
  readonly read: ReadPart;
}): ReactElement {
  const rows = Math.min(rowsMax, Math.ceil(sizeBytes / bytesPerRow));
  const virtual = useVirtualRows({ count: rows, rowPx, current: -1 });
  const { pieceOf, failure, readAgain } = usePieces(read, sizeBytes);
  const disabledReason = useDisabledReason();
  return (
    <>
      {sizeBytes > rowsMax * bytesPerRow ? (
        <p className="note-line plain">Showing the first {Math.round((rowsMax * bytesPerRow) / 1e6)} MB.</p>
      ) : null}
      {failure === null ? null : (
        <div className="note-line" role="status">
          <Icon of="warning" small />
          <span className="grow">Some bytes could not be loaded. {failure}</span>
          <Button disabledReason={disabledReason} onClick={readAgain}>
            Retry
          </Button>
        </div>
      )}
      <ReadingRegion ref={virtual.scroller} className="scroller" name={`Bytes of ${nameOf(path)}`}>
        <div className="rail lines hex" style={{ height: virtual.totalPx }}>
          {virtual.items.map((item) => {
            const offset = item.index * bytesPerRow;
            const piece = pieceOf(Math.floor(offset / pieceBytes));
            const bytes = piece?.subarray(offset % pieceBytes, (offset % pieceBytes) + bytesPerRow);
            return (
              <div key={item.key} className="line" style={{ transform: `translateY(${item.start}px)` }}>
                <span className="line-number">{offsetText(offset)}</span>
                <span className="hex-bytes">{bytes === undefined ? '…' : hexText(bytes)}</span>
                <span className="hex-text">{bytes === undefined ? '' : asciiText(bytes)}</span>
              </div>
            );
          })}
        </div>
      </ReadingRegion>
    </>
  );
}

interface Pieces {
  /** undefined: not loaded yet; then it is read after the rendering. */
  readonly pieceOf: (piece: number) => Uint8Array | undefined;
  /** Why pieces could not be read; null: none failed. */
  readonly failure: string | null;
  readonly readAgain: () => void;
}

/** The newest pieces are kept. A piece that could not be read is read again on request, or when the agent responds again. */
function usePieces(read: ReadPart, sizeBytes: number): Pieces {
  const [, render] = useReducer((version: number) => version + 1, 0);
  const [failure, setFailure] = useState<string | null>(null);
  const disabledReason = useDisabledReason();
  /** null: reading, or failed. */
  const held = useRef(new Map<number, Uint8Array | null>());
  const failed = useRef(new Set<number>());
  const wanted = useRef(new Set<number>());
  const stop = useRef(new AbortController());
  const readAgain = useStable(() => {
    for (const piece of failed.current) held.current.delete(piece);
    failed.current.clear();
    setFailure(null);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another file or revision has another `read`
  useEffect(() => {
    held.current = new Map();
    failed.current.clear();
    setFailure(null);
    stop.current = new AbortController();
    render();
    const { current } = stop;
    return () => current.abort();
  }, [read]);
  useEffect(() => {
    if (disabledReason === null) readAgain();
  }, [disabledReason, readAgain]);
  useEffect(() => {
    for (const piece of wanted.current) {
      if (held.current.has(piece)) continue;
      held.current.set(piece, null);
      const { signal } = stop.current;
      const end = Math.min(sizeBytes, (piece + 1) * pieceBytes);
      read(piece * pieceBytes, end, signal).then(
        (bytes) => {
          if (signal.aborted) return;
          held.current.set(piece, bytes);
          const [oldest] = held.current.keys();
          if (held.current.size > piecesMax && oldest !== undefined) held.current.delete(oldest);
          render();
        },
        (error: unknown) => {
          if (signal.aborted) return;
          failed.current.add(piece);
          setFailure(describeError(error));
        },
      );
    }
    wanted.current.clear();
  });
  const pieceOf = (piece: number): Uint8Array | undefined => {
    const bytes = held.current.get(piece);
    if (bytes === undefined) wanted.current.add(piece);
    return bytes ?? undefined;
  };
  return { pieceOf, failure, readAgain };
}
