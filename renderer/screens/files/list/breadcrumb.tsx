// The way from the workspace to the open folder: each part opens its folder, and takes what is dropped on it.
import { Fragment, type ReactElement } from 'react';
import { useStatus } from '../../../api/services.ts';
import { useChosenWorkspace } from '../../../location/workspace-choice.ts';
import { nameOf, withAncestors } from '../../../model/files/path.ts';
import { Icon } from '../../../parts/feedback/icon.tsx';
import { entryAttributes } from '../change/drag-entries.ts';

export function Breadcrumb({
  folder,
  onOpen,
}: {
  readonly folder: string;
  readonly onOpen: (path: string) => void;
}): ReactElement {
  const { workspace } = useChosenWorkspace(useStatus()?.workspaces ?? []);
  return (
    <nav className="breadcrumb" aria-label="Path of the folder">
      {withAncestors(folder).map((path) => {
        const name = path === '/' ? (workspace?.name ?? '/') : nameOf(path);
        return (
          <Fragment key={path}>
            {path === '/' ? null : <Icon of="closed" small />}
            {path === folder ? (
              <span className="crumb ellipsis" aria-current="location" title={path}>
                {name}
              </span>
            ) : (
              <button
                type="button"
                className="crumb ellipsis"
                title={path}
                onClick={() => onOpen(path)}
                {...entryAttributes({ path, type: 'dir' }, false)}
              >
                {name}
              </button>
            )}
          </Fragment>
        );
      })}
    </nav>
  );
}
