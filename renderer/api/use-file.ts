// Loads a file, now or at a point in time. A large file is loaded on request.
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { MooringClient } from '../../sdk/index.ts';
import type { FileRecord } from '../../server/contract/files.ts';
import { useServices } from './services.ts';

const autoLoadBytesMax = 5_000_000;

export interface FileQuery {
  readonly file: FileRecord | undefined;
  readonly error: unknown;
  /** Size of a large file that is not loaded; null: loaded or loading. */
  readonly unloadedBytes: number | null;
  /** Loads or reloads the file. */
  readonly load: () => void;
}

export function useFile({
  workspaceId,
  path,
  atMs = null,
  sizeBytes,
}: {
  readonly workspaceId: string;
  readonly path: string;
  /** null: now. */
  readonly atMs?: number | null;
  /** 0: unknown, and the file is loaded. null: not known yet, and it is not. */
  readonly sizeBytes: number | null;
}): FileQuery {
  const { client } = useServices();
  const [isRequested, setRequested] = useState(false);
  const isLarge = sizeBytes !== null && sizeBytes > autoLoadBytesMax;
  const isWaiting = sizeBytes === null || (isLarge && !isRequested);
  const query = useQuery({ ...fileQuery(client, workspaceId, path, atMs), enabled: !isWaiting });
  return {
    file: query.data,
    error: query.error,
    unloadedBytes: isWaiting ? sizeBytes : null,
    load: () => (isWaiting ? setRequested(true) : void query.refetch()),
  };
}

/** `atMs` null: the file now. */
export function fileQuery(client: MooringClient, workspaceId: string, path: string, atMs: number | null) {
  return queryOptions({
    queryKey: atMs === null ? ['file', workspaceId, path] : ['file-at', workspaceId, path, atMs],
    queryFn: async ({ signal }) =>
      await client.readFile(workspaceId, path, atMs === null ? { signal } : { at: new Date(atMs), signal }),
    // A past revision never changes; events invalidate the current one (api/services.ts).
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  });
}
