// Lists what a command did to ignored files of its run, each with its difference on request. No commit contains them.
import { type ReactElement, useState } from 'react';
import type { IgnoredChange, IgnoredChanges, Run } from '../../../sdk/index.ts';
import { listedIgnoredMax, useIgnoredDifference } from '../../api/ignored-changes.ts';
import { describeError } from '../../api/services.ts';
import { count, size } from '../../model/format.ts';
import { Button } from '../../parts/buttons/button.tsx';
import { Dialog } from '../../parts/dialogs/dialog.tsx';
import { DialogBody } from '../../parts/dialogs/dialog-body.tsx';
import { DiffText } from '../../parts/diff/diff-text.tsx';
import { PathText } from '../../parts/feedback/path-text.tsx';
import { CheckLine } from '../../parts/fields/checkbox.tsx';

export function IgnoredDialog({
  run,
  ignored,
  keepsFolder,
  onKeepsFolder,
  onClose,
}: {
  readonly run: Run;
  readonly ignored: IgnoredChanges;
  readonly keepsFolder: boolean;
  readonly onKeepsFolder: (keeps: boolean) => void;
  readonly onClose: () => void;
}): ReactElement {
  const { changes, createdCount, updatedCount, deletedCount, nextCursor } = ignored;
  return (
    <Dialog title="Changes of ignored files" wide onClose={onClose}>
      <DialogBody actions={<Button onClick={onClose}>Close</Button>}>
        <p>
          {count(createdCount)} created, {count(updatedCount)} updated, {count(deletedCount)} deleted,
          compared with what was copied into the folder. They are not part of the changes: no commit contains
          them.
        </p>
        <CheckLine checked={keepsFolder} onChange={onKeepsFolder}>
          Keep the folder for 7 days after the commit. Otherwise the commit deletes them with it.
        </CheckLine>
        <ul className="run-conflicts">
          {changes.map((change, index) => (
            <IgnoredRow
              key={change.path}
              run={run}
              change={change}
              previous={changes[index - 1]?.path ?? null}
            />
          ))}
        </ul>
        {nextCursor === null ? null : (
          <p className="hint">
            The first {count(listedIgnoredMax)} are listed. All: mooring run show {run.runId}{' '}
            --include-ignored
          </p>
        )}
      </DialogBody>
    </Dialog>
  );
}

function IgnoredRow({
  run,
  change,
  previous,
}: {
  readonly run: Run;
  readonly change: IgnoredChange;
  readonly previous: string | null;
}): ReactElement {
  const [isShown, setShown] = useState(false);
  return (
    <li>
      <div className="row wrap">
        <span className="grow">
          <PathText path={change.path} />
          <span className="hint">{factsOf(change)}</span>
        </span>
        <Button kind="ghost" icon={isShown ? 'up' : 'open'} onClick={() => setShown(!isShown)}>
          {isShown ? 'Hide difference' : 'Show difference'}
        </Button>
      </div>
      {isShown ? <Difference run={run} path={change.path} previous={previous} /> : null}
    </li>
  );
}

const types = { created: 'Created', updated: 'Updated', deleted: 'Deleted' } as const;

function factsOf({ type, kind, size: bytes, modeBefore, mode }: IgnoredChange): string {
  const isModeChanged = mode !== null && modeBefore !== null && mode !== modeBefore;
  return [
    types[type],
    ...(kind === 'link' ? ['link'] : bytes === null ? [] : [size(bytes)]),
    ...(isModeChanged ? [`permissions ${modeBefore} to ${mode}`] : []),
  ].join(', ');
}

function Difference({
  run,
  path,
  previous,
}: {
  readonly run: Run;
  readonly path: string;
  readonly previous: string | null;
}): ReactElement {
  const { data, error } = useIgnoredDifference(run, path, previous);
  if (error !== null) return <p className="status failed">{describeError(error)}</p>;
  if (data === undefined) return <p className="faint">Comparing…</p>;
  if (data === null)
    return <p className="hint">The files have just changed. Hide the difference and show it again.</p>;
  const { diff } = data;
  if (diff === undefined)
    return (
      <p className="hint">
        The mirrored folder has changed it since the copy: there is nothing to compare with.
      </p>
    );
  if (diff.patch === undefined)
    return <p className="hint">{reasons[diff.kind] ?? 'No difference is shown.'}</p>;
  return diff.patch === '' ? (
    <p className="hint">Content unchanged</p>
  ) : (
    <DiffText diff={diff.patch} title={path} />
  );
}

const reasons: Readonly<Record<string, string>> = {
  binary: 'Binary file',
  too_large: 'Too large to compare',
};
