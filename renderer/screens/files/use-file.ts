// The content of one file, as it is now or as it was at a moment. A large one is read only when asked for.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { FileRecord, TreeEntry } from '../../../server/contract/files.ts';
import { useServices } from '../../api/services.ts';
import { shownSize } from '../../model/files/stored-size.ts';

const autoLoadBytesMax = 5_000_000;

export interface FileQuery {
  readonly file: FileRecord | undefined;
  readonly error: unknown;
  /** Of a file that is read only when asked for; null: it is read. */
  readonly unloadedBytes: number | null;
  /** Reads it, or reads it again. */
  readonly load: () => void;
}

export function useFile({
  workspaceId,
  path,
  atMs,
  entry,
}: {
  readonly workspaceId: string;
  readonly path: string;
  /** null: as it is now. */
  readonly atMs: number | null;
  readonly entry: TreeEntry | undefined;
}): FileQuery {
  const { client } = useServices();
  const [asked, setAsked] = useState(false);
  const sizeBytes = entry === undefined ? 0 : shownSize(entry);
  const waits = sizeBytes > autoLoadBytesMax && !asked;
  const query = useQuery({
    // What was read of the past never changes; events make what is read of now read again (api/services.ts).
    queryKey: atMs === null ? ['file', workspaceId, path] : ['file-at', workspaceId, path, atMs],
    queryFn: async ({ signal }) =>
      await client.readFile(workspaceId, path, atMs === null ? { signal } : { at: new Date(atMs), signal }),
    enabled: !waits,
    gcTime: 60_000,
  });
  return {
    file: query.data,
    error: query.error,
    unloadedBytes: waits ? sizeBytes : null,
    load: () => (waits ? setAsked(true) : void query.refetch()),
  };
}
