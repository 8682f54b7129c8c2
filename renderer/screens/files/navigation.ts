// Where one can go from a place in Files. Each is a new address; what is not named stays as it is.
import { useCallback } from 'react';
import { useLocation } from 'wouter';
import { type FilesLocation, filesHref } from '../../location/app-location.ts';

/** `replace`: without a step for the browser's "back". */
export type Go = (
  path: string,
  kind: 'file' | 'dir',
  extra?: Partial<Pick<FilesLocation, 'view' | 'filter' | 'atMs'>>,
  replace?: boolean,
) => void;

export interface FilesNavigation {
  readonly go: Go;
  readonly closeFile: () => void;
  /** null: back to now. */
  readonly goToPointInTime: (atMs: number | null) => void;
  /** Of the open file; without one nothing happens. */
  readonly setView: (view: FilesLocation['view']) => void;
}

export function useFilesNavigation(workspaceId: string, place: FilesLocation): FilesNavigation {
  const [, navigate] = useLocation();
  const { file, folder, filter, view, atMs } = place;
  const go = useCallback<Go>(
    (path, kind, extra = {}, replace = false) =>
      navigate(filesHref(workspaceId, path, kind, { view, atMs, ...extra }), { replace }),
    [navigate, workspaceId, view, atMs],
  );
  return {
    go,
    closeFile: () => go(folder, 'dir', { filter }),
    goToPointInTime: (moment) => go(file ?? folder, file === null ? 'dir' : 'file', { atMs: moment }),
    setView: (next) => {
      if (file !== null) go(file, 'file', { view: next, filter }, true);
    },
  };
}
