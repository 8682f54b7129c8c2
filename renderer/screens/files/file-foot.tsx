// The actions of a file: edit, download, show in its folder. Each has a key.
import { type ReactElement, type RefObject, useEffect, useState } from 'react';
import type { PathActionResult } from '../../../electron/ipc-contract.ts';
import type { FileRecord } from '../../../server/contract/files.ts';
import type { Mirror } from '../../../server/contract/workspaces.ts';
import { desktop } from '../../api/desktop.ts';
import { describeError } from '../../api/services.ts';
import { inFolder } from '../../model/files/path.ts';
import { Button } from '../../parts/buttons/button.tsx';
import { copyText } from '../../parts/buttons/copy.tsx';
import { announce } from '../../parts/feedback/answers.ts';
import { DownloadButton, saveFile } from './download-button.tsx';

/** The actions behind the keys of the screen. */
export interface FileActions {
  readonly download: () => void;
  readonly edit: () => void;
  /** Shows the file in the file manager; in a browser, copies its path in the folder. */
  readonly show: () => void;
}

interface FootProps {
  readonly workspaceId: string;
  readonly path: string;
  readonly file: FileRecord | undefined;
  readonly mirror: Mirror | null;
  /** Why the file cannot be edited; null: it can. */
  readonly editDisabledReason: string | null;
  readonly actions: RefObject<FileActions | null>;
  readonly onEdit: () => void;
}

export function FileFoot({ file, actions, editDisabledReason, onEdit, ...target }: FootProps): ReactElement {
  const { refusal, show, open } = useFolder(target);
  useEffect(() => {
    actions.current = {
      download: () => saveFile(file),
      show: show ?? (() => announce('This workspace has no mirrored folder.')),
      edit: () => (editDisabledReason === null ? onEdit() : announce(editDisabledReason)),
    };
    return () => {
      actions.current = null;
    };
  });
  return (
    <>
      {refusal === null ? null : (
        <div className="note-line" role="alert">
          {refusal.cause} {refusal.next}
        </div>
      )}
      <div className="detail-foot">
        <Button icon="edit" shortcut="E" disabledReason={editDisabledReason} onClick={onEdit}>
          Edit
        </Button>
        <DownloadButton file={file} />
        {show === null ? null : (
          <Button icon={open === null ? 'copy' : 'folder'} shortcut="O" onClick={show}>
            {open === null ? 'Copy local path' : 'Show in folder'}
          </Button>
        )}
        {open === null ? null : <Button onClick={open}>Open</Button>}
      </div>
    </>
  );
}

type Refusal = Extract<PathActionResult, { ok: false }>;

/** null: no folder, or no desktop app to open it. */
function useFolder({ workspaceId, path, mirror }: Pick<FootProps, 'workspaceId' | 'path' | 'mirror'>): {
  readonly refusal: Refusal | null;
  readonly show: (() => void) | null;
  readonly open: (() => void) | null;
} {
  const bridge = desktop();
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  if (mirror === null) return { refusal, show: null, open: null };
  if (bridge === null) {
    const copy = (): void => void copyText(inFolder(mirror.dir, path), 'the local path');
    return { refusal, show: copy, open: null };
  }
  const run = (answer: Promise<PathActionResult>): void => {
    answer.then(
      (result) => setRefusal(result.ok ? null : result),
      (error: unknown) => setRefusal({ ok: false, cause: describeError(error), next: '' }),
    );
  };
  return {
    refusal,
    show: () => run(bridge.reveal({ workspaceId, path })),
    open: () => run(bridge.open({ workspaceId, path })),
  };
}
