// The folder tree in a popup, for windows too narrow for its pane.
import { Popover } from '@base-ui/react/popover';
import { type ReactElement, useState } from 'react';
import type { FolderStore } from '../../api/folder-store.ts';
import { nameOf } from '../../model/files/path.ts';
import { Icon } from '../../parts/feedback/icon.tsx';
import { FolderTree } from './tree.tsx';

export function FolderButton({
  store,
  folder,
  onOpen,
}: {
  readonly store: FolderStore;
  readonly folder: string;
  readonly onOpen: (path: string) => void;
}): ReactElement {
  const [open, setOpen] = useState(false);
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger className="button when-narrow" title={folder}>
        <Icon of="folder" small />
        {folder === '/' ? 'All folders' : nameOf(folder)}
        <Icon of="open" small />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner sideOffset={6} align="start" className="above">
          <Popover.Popup className="menu tree-popup" aria-label="Folders">
            <FolderTree store={store} current={folder} onOpen={onOpen} onEnter={() => setOpen(false)} />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
