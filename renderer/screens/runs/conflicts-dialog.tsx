// Lists the conflicts of a commit or an undo. Each is decided before anything is written; the decision holds for the listed revision.
import { type ReactElement, useState } from 'react';
import type { CommitRunBody, Run, RunConflict } from '../../../sdk/index.ts';
import { useDecidedVersions } from '../../api/runs.ts';
import { useDisabledReason } from '../../api/services.ts';
import { count } from '../../model/format.ts';
import type { RunChange } from '../../model/runs/run-changes.ts';
import { Button } from '../../parts/buttons/button.tsx';
import { Segments } from '../../parts/buttons/segments.tsx';
import { FormDialog } from '../../parts/dialogs/form-dialog.tsx';
import { FileComparison } from '../../parts/diff/file-comparison.tsx';
import { PathText } from '../../parts/feedback/path-text.tsx';

export type RunDecision = NonNullable<CommitRunBody['decisions']>[number];
type Version = RunDecision['take'];

export function ConflictsDialog({
  title,
  about,
  labels,
  confirm,
  conflicts,
  changes,
  run,
  onDecided,
  onClose,
}: {
  readonly title: string;
  readonly about: string;
  readonly labels: Readonly<Record<Version, string>>;
  /** The label of the button. */
  readonly confirm: string;
  readonly conflicts: readonly RunConflict[];
  /** The changes of the run, whose difference can be shown. */
  readonly changes: readonly RunChange[];
  readonly run: Run;
  readonly onDecided: (decisions: readonly RunDecision[]) => void;
  readonly onClose: () => void;
}): ReactElement {
  const offline = useDisabledReason();
  /** By path and revision: a conflict that has changed since is undecided again. */
  const [taken, setTaken] = useState<ReadonlyMap<string, Version>>(new Map());
  const decisions = conflicts.flatMap(({ path, revision }): RunDecision[] => {
    const take = taken.get(keyOf({ path, revision }));
    return take === undefined ? [] : [{ path, revision, take }];
  });
  const open = conflicts.length - decisions.length;
  const options = [
    { value: 'run', text: labels.run },
    { value: 'workspace', text: labels.workspace },
  ] as const;
  const takeAll = (take: Version): void =>
    setTaken(new Map(conflicts.map((conflict) => [keyOf(conflict), take])));
  return (
    <FormDialog
      title={title}
      submit={confirm}
      wide
      disabledReason={open > 0 ? `Decide on ${count(open)} more.` : offline}
      onSubmit={() => onDecided(decisions)}
      onClose={onClose}
    >
      <p>{about}</p>
      {conflicts.length < 2 ? null : (
        <div className="row wrap">
          <span className="soft">For all:</span>
          {options.map(({ value, text }) => (
            <Button key={value} onClick={() => takeAll(value)}>
              {text}
            </Button>
          ))}
        </div>
      )}
      <ul className="run-conflicts">
        {conflicts.map((conflict) => (
          <ConflictRow
            key={conflict.path}
            conflict={conflict}
            options={options}
            taken={taken.get(keyOf(conflict))}
            run={run}
            labels={labels}
            change={changes.find(({ path }) => path === conflict.path)}
            onTake={(take) => setTaken(new Map(taken).set(keyOf(conflict), take))}
          />
        ))}
      </ul>
    </FormDialog>
  );
}

function ConflictRow({
  conflict: { path, reason },
  options,
  taken,
  labels,
  run,
  change,
  onTake,
}: {
  readonly conflict: RunConflict;
  readonly options: readonly { readonly value: Version; readonly text: string }[];
  readonly taken: Version | undefined;
  readonly labels: Readonly<Record<Version, string>>;
  readonly run: Run;
  readonly change: RunChange | undefined;
  readonly onTake: (take: Version) => void;
}): ReactElement {
  const [isShown, setShown] = useState(false);
  return (
    <li>
      <div className="row wrap">
        <span className="grow">
          <PathText path={path} />
          <span className="hint">{reasons[reason] ?? reason}</span>
        </span>
        <Segments<Version | 'none'>
          label={path}
          options={options}
          value={taken ?? 'none'}
          onChange={(take) => take !== 'none' && onTake(take)}
        />
        {change === undefined ? null : (
          <Button kind="ghost" icon={isShown ? 'up' : 'open'} onClick={() => setShown(!isShown)}>
            {isShown ? 'Hide difference' : 'Show difference'}
          </Button>
        )}
      </div>
      {isShown && change !== undefined ? <ShownChange run={run} change={change} labels={labels} /> : null}
    </li>
  );
}

function ShownChange({
  run,
  change,
  labels,
}: {
  readonly run: Run;
  readonly change: RunChange;
  readonly labels: Readonly<Record<Version, string>>;
}): ReactElement {
  const { data } = useDecidedVersions(run, change);
  return data === undefined ? (
    <p className="faint">Comparing…</p>
  ) : (
    <div>
      <p className="hint">
        − {labels.workspace}, + {labels.run}
      </p>
      <FileComparison versions={data} isSideBySide={false} />
    </div>
  );
}

const reasons: Readonly<Record<string, string>> = {
  overlapping: 'Both changed the same lines',
  not_text: 'Binary file',
  too_large: 'Too large to merge',
  created: 'Created on both sides',
  deleted: 'Deleted on one side',
  access_rules: 'Access rules are never merged',
  busy: 'Changed again just now',
};

function keyOf({ path, revision }: Pick<RunConflict, 'path' | 'revision'>): string {
  return `${revision} ${path}`;
}
