// The folder in which a command works on a run: its progress while it is filled, what was copied into it, and what changed of that.
import { type ReactElement, useState } from 'react';
import type { PathActionResult } from '../../../electron/ipc-contract.ts';
import type { Run } from '../../../sdk/index.ts';
import { desktop } from '../../api/desktop.ts';
import { useIgnoredChanges } from '../../api/ignored-changes.ts';
import { useRunFolder } from '../../api/runs.ts';
import { describeError } from '../../api/services.ts';
import { count, plural, size } from '../../model/format.ts';
import { Button } from '../../parts/buttons/button.tsx';
import { Identifier } from '../../parts/buttons/copy.tsx';
import { IgnoredDialog } from './ignored-dialog.tsx';

interface FolderFactsProps {
  readonly run: Run;
  /** Whether the folder stays after the commit. */
  readonly keepsFolder: boolean;
  readonly onKeepsFolder: (keeps: boolean) => void;
}

export function FolderFacts(props: FolderFactsProps): ReactElement | null {
  const { run } = props;
  const { data: folder } = useRunFolder(run);
  if (folder === undefined || folder === null) return null;
  const { mirror, copied, dir } = folder;
  const { progress } = mirror;
  return (
    <>
      <span className="row command-line">
        <span>Folder</span>
        <Identifier text={dir} what="the path of the folder" />
        <ShowFolder run={run} />
      </span>
      {progress === null ? null : (
        <span>
          {progress.total === null
            ? count(progress.done)
            : `${count(progress.done)} of ${count(progress.total)}`}{' '}
          files synced
        </span>
      )}
      {copied === null || copied.fileCount === 0 ? null : (
        <span
          title={`Copied from ${copied.from}: files that no mirror syncs. They are not part of the changes.`}
        >
          {plural(copied.fileCount, 'copied file')}, {size(copied.bytes)}
        </span>
      )}
      <Ignored {...props} copiedFiles={copied === null ? 0 : copied.fileCount + copied.linkCount} />
    </>
  );
}

/** In the desktop app alone: a browser opens no file manager. */
function ShowFolder({ run: { workspaceId, runId } }: { readonly run: Run }): ReactElement | null {
  const bridge = desktop();
  const [failure, setFailure] = useState<string | null>(null);
  if (bridge === null) return null;
  const show = (): void =>
    void bridge.reveal({ workspaceId, runId, path: '/' }).then(
      (result: PathActionResult) => setFailure(result.ok ? null : `${result.cause} ${result.next}`),
      (error: unknown) => setFailure(describeError(error)),
    );
  return (
    <>
      <Button kind="ghost" icon="folder" onClick={show}>
        Show in folder
      </Button>
      {failure === null ? null : (
        <span className="status failed" role="alert">
          {failure}
        </span>
      )}
    </>
  );
}

function Ignored({
  run,
  copiedFiles,
  ...keeping
}: FolderFactsProps & { readonly copiedFiles: number }): ReactElement | null {
  const [isShown, setShown] = useState(false);
  const { data: ignored } = useIgnoredChanges(run, copiedFiles);
  if (ignored === undefined || ignored === null) return null;
  const changed = ignored.createdCount + ignored.updatedCount + ignored.deletedCount;
  if (changed === 0 && !isShown) return null;
  return (
    <>
      <Button kind="ghost" icon="open" onClick={() => setShown(true)}>
        {plural(changed, 'ignored file')} changed
      </Button>
      {isShown ? (
        <IgnoredDialog run={run} ignored={ignored} {...keeping} onClose={() => setShown(false)} />
      ) : null}
    </>
  );
}
