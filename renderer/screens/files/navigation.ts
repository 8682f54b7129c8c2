// Navigation within Files: every target is a URL; unnamed fields keep their values.
import { useCallback } from 'react';
import { useLocation } from 'wouter';
import { type FilesLocation, filesHref } from '../../location/app-location.ts';

/** `replace`: without a history entry of the browser. */
export type Go = (
  path: string,
  kind: 'file' | 'dir',
  extra?: Partial<Pick<FilesLocation, 'view' | 'filter' | 'sort' | 'atMs'>>,
  replace?: boolean,
) => void;

export type FilesNavigation = ReturnType<typeof useFilesNavigation>;

export function useFilesNavigation(workspaceId: string, location: FilesLocation) {
  const [, navigate] = useLocation();
  const { file, folder, filter, sort, view, atMs } = location;
  const go = useCallback<Go>(
    (path, kind, extra = {}, replace = false) =>
      navigate(filesHref(workspaceId, path, kind, { view, sort, atMs, ...extra }), { replace }),
    [navigate, workspaceId, view, sort, atMs],
  );
  return {
    go,
    closeFile: () => go(folder, 'dir', { filter }),
    /** null: now. */
    goToPointInTime: (targetMs: number | null) =>
      go(file ?? folder, file === null ? 'dir' : 'file', { atMs: targetMs }),
    /** Sets the view of the open file. */
    setView: (next: FilesLocation['view']) => {
      if (file !== null) go(file, 'file', { view: next, filter }, true);
    },
  };
}
