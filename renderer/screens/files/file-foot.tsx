// What can be done with a file: edited, saved to disk, found in its folder. Each works by key, too.
import { type ReactElement, type RefObject, useEffect, useState } from 'react';
import type { PlaceAnswer } from '../../../electron/ipc-contract.ts';
import type { FileRecord } from '../../../server/contract/files.ts';
import type { Mirror } from '../../../server/contract/workspaces.ts';
import { desktop } from '../../api/desktop.ts';
import { describeError } from '../../api/services.ts';
import { inFolder } from '../../model/files/path.ts';
import { Button } from '../../parts/buttons/button.tsx';
import { copyText } from '../../parts/buttons/copy.tsx';
import { announce } from '../../parts/feedback/announcer.tsx';
import { DownloadButton, saveFile } from './download-button.tsx';

/** What keys do. */
export interface FileActions {
  readonly download: () => void;
  readonly edit: () => void;
  /** Shows it in the file manager; in a browser, copies its path there. */
  readonly show: () => void;
}

interface FootProps {
  readonly workspaceId: string;
  readonly path: string;
  readonly file: FileRecord | undefined;
  readonly mirror: Mirror | null;
  /** Why it cannot be edited; null: it can. */
  readonly notEdited: string | null;
  readonly actions: RefObject<FileActions | null>;
  readonly onEdit: () => void;
}

export function FileFoot({ file, actions, notEdited, onEdit, ...place }: FootProps): ReactElement {
  const { refused, show, open } = useFolder(place);
  useEffect(() => {
    actions.current = {
      download: () => saveFile(file),
      show: show ?? (() => announce('This workspace has no folder.')),
      edit: () => (notEdited === null ? onEdit() : announce(notEdited)),
    };
    return () => {
      actions.current = null;
    };
  });
  return (
    <>
      {refused === null ? null : (
        <div className="note-line" role="alert">
          {refused.cause} {refused.next}
        </div>
      )}
      <div className="detail-foot">
        <Button icon="edit" shortcut="E" disabledReason={notEdited} onClick={onEdit}>
          Edit
        </Button>
        <DownloadButton file={file} />
        {show === null ? null : (
          <Button icon={open === null ? 'copy' : 'folder'} shortcut="O" onClick={show}>
            {open === null ? 'Copy path in folder' : 'Show in folder'}
          </Button>
        )}
        {open === null ? null : <Button onClick={open}>Open</Button>}
      </div>
    </>
  );
}

type Refusal = Extract<PlaceAnswer, { ok: false }>;

/** null: there is no folder, or no desktop app that could open it. */
function useFolder({ workspaceId, path, mirror }: Pick<FootProps, 'workspaceId' | 'path' | 'mirror'>): {
  readonly refused: Refusal | null;
  readonly show: (() => void) | null;
  readonly open: (() => void) | null;
} {
  const bridge = desktop();
  const [refused, setRefused] = useState<Refusal | null>(null);
  if (mirror === null) return { refused, show: null, open: null };
  if (bridge === null) {
    const copy = (): void => void copyText(inFolder(mirror.dir, path), 'the path in the folder');
    return { refused, show: copy, open: null };
  }
  const run = (answer: Promise<PlaceAnswer>): void => {
    answer.then(
      (given) => setRefused(given.ok ? null : given),
      (error: unknown) => setRefused({ ok: false, cause: describeError(error), next: '' }),
    );
  };
  return {
    refused,
    show: () => run(bridge.reveal({ workspaceId, path })),
    open: () => run(bridge.open({ workspaceId, path })),
  };
}
