// What is copied into the folder of a run, as a request and a report. No I/O.

/** Paths that a report lists; it is a small file. */
export const skippedListedMax = 10;

export interface CopyLimits {
  readonly filesMax: number;
  readonly bytesMax: number;
  /** Free space of the disk that a copy leaves. */
  readonly freeBytesMin: number;
}

export interface CopyRequest {
  /** A mirrored folder, the folder in it whose files are copied, and the folder of a run: resolved paths. */
  readonly root: string;
  readonly from: string;
  readonly to: string;
  /** A larger file is in no mirror. */
  readonly fileBytesMax: number;
  readonly limits: CopyLimits;
}

export interface SkippedPath {
  readonly path: string;
  /** For people. */
  readonly reason: string;
}

export interface CopyReport {
  readonly from: string;
  readonly files: number;
  readonly links: number;
  readonly bytes: number;
  /** The disk stores the contents once: the copies take no space until they change. */
  readonly sharesBlocks: boolean;
  readonly skippedCount: number;
  /** The first of them. */
  readonly skipped: readonly SkippedPath[];
}

/** null: it is no report: any program may write in the folder. */
export function parseReport(value: unknown): CopyReport | null {
  if (typeof value !== 'object' || value === null) return null;
  const { from, files, links, bytes, sharesBlocks, skippedCount, skipped } = value as Record<string, unknown>;
  const counts = [files, links, bytes, skippedCount];
  if (typeof from !== 'string' || typeof sharesBlocks !== 'boolean' || !Array.isArray(skipped)) return null;
  if (!counts.every((count) => Number.isSafeInteger(count) && Number(count) >= 0)) return null;
  const listed = skipped.slice(0, skippedListedMax).map((one: unknown): SkippedPath => {
    const { path, reason } = Object(one) as Record<string, unknown>;
    return { path: String(path), reason: String(reason) };
  });
  const [fileCount, linkCount, byteCount, leftOut] = counts.map(Number) as [number, number, number, number];
  return {
    ...{ from, sharesBlocks, skipped: listed },
    ...{ files: fileCount, links: linkCount, bytes: byteCount, skippedCount: leftOut },
  };
}
