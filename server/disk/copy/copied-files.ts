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
  /** Names what was copied: an absolute path outside of the folder of the run. */
  readonly list: string;
  /** A larger file is in no mirror. */
  readonly fileBytesMax: number;
  readonly limits: CopyLimits;
}

/** What the folder of a run has and no mirror syncs, compared with what was copied into it. */
export interface CompareRequest extends Omit<CopyRequest, 'limits'> {
  readonly page: {
    /** Changes up to this path, in the order of paths, are left out; '': none. */
    readonly after: string;
    readonly limit: number;
    /** Texts of the page are read as well. */
    readonly hasTexts: boolean;
  };
}

export interface IgnoredChange {
  readonly path: string;
  readonly type: 'created' | 'updated' | 'deleted';
  readonly kind: 'file' | 'link';
  /** null: it is deleted. */
  readonly sizeBytes: number | null;
  /** Permission bits before and now; null: no file, or a link. */
  readonly modes: { readonly before: number | null; readonly now: number | null };
  /** The mirrored folder has something else at this path now than what was copied. */
  readonly isLiveChanged: boolean;
  /** null: not asked for, or what was copied is not there any more. */
  readonly texts: IgnoredTexts | null;
}

export interface IgnoredTexts {
  readonly isTooLarge: boolean;
  /** null: no file. The target of a link is its text. */
  readonly before: Uint8Array | null;
  readonly now: Uint8Array | null;
}

export interface IgnoredChanges {
  readonly counts: { readonly created: number; readonly updated: number; readonly deleted: number };
  readonly page: readonly IgnoredChange[];
  readonly hasMore: boolean;
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
