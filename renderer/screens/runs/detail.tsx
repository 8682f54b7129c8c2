// One run: its facts, its changed files with the difference of the open one, and what can be done with it.
import { type ReactElement, useState } from 'react';
import type { Run } from '../../../sdk/index.ts';
import { type RunChanges, useRunChanges, useStagedLines } from '../../api/runs.ts';
import { plural } from '../../model/format.ts';
import type { RunChange } from '../../model/runs/run-changes.ts';
import { commandText, runName } from '../../model/runs/run-view.ts';
import { CopyButton, Identifier } from '../../parts/buttons/copy.tsx';
import { QueryError } from '../../parts/feedback/load-error.tsx';
import { Time } from '../../parts/feedback/time.tsx';
import { DetailHead } from '../../parts/tables/detail-head.tsx';
import { type FocusHandle, LoadingRows } from '../../parts/tables/work-list.tsx';
import { ChangedFile } from './changed-file.tsx';
import { ChangedFiles } from './changed-files.tsx';
import { EndedRunFoot } from './ended-run-foot.tsx';
import { FolderFacts } from './folder-facts.tsx';
import { OpenRunFoot } from './open-run-foot.tsx';
import { RunStatus } from './run-status.tsx';

interface RunDetailProps {
  readonly run: Run;
  /** Path of the open file; empty: the first. */
  readonly file: string;
  readonly isSideBySide: boolean;
  readonly fileFocus: FocusHandle;
  readonly onFile: (path: string) => void;
  readonly onView: (view: 'lines' | 'sides') => void;
  readonly onClose: () => void;
}

const noChanges: RunChanges = { changes: [], stagedRevision: 0 };

export function RunDetail(props: RunDetailProps): ReactElement {
  const { run, onClose } = props;
  const query = useRunChanges(run);
  const { changes, stagedRevision } = query.data ?? noChanges;
  const [excluded, setExcluded] = useState<ReadonlySet<string>>(new Set());
  const [keepsFolder, setKeepsFolder] = useState(false);
  const isOpen = run.state === 'open';
  return (
    <>
      <DetailHead
        title={runName(run)}
        titleClass="run-title ellipsis"
        side={<RunStatus run={run} pill />}
        facts={
          <>
            <RunFacts run={run} changes={changes} />
            <FolderFacts run={run} keepsFolder={keepsFolder} onKeepsFolder={setKeepsFolder} />
          </>
        }
        staysOpen
        onClose={onClose}
      />
      {query.data === undefined && query.isError ? (
        <QueryError query={query} path={run.runId} />
      ) : query.data === undefined ? (
        <LoadingRows rowPx={32} />
      ) : changes.length === 0 ? (
        <NoChanges run={run} />
      ) : (
        <Review {...props} changes={changes} excluded={excluded} onExclude={setExcluded} />
      )}
      {isOpen ? (
        <OpenRunFoot
          run={run}
          changes={changes}
          stagedRevision={stagedRevision}
          excluded={excluded}
          keepsFolder={keepsFolder}
          onCommitted={() => setExcluded(new Set())}
        />
      ) : (
        <EndedRunFoot run={run} changes={changes} />
      )}
    </>
  );
}

function RunFacts({
  run,
  changes,
}: {
  readonly run: Run;
  readonly changes: readonly RunChange[];
}): ReactElement {
  const moved = changes.filter(({ isMoved }) => isMoved).length;
  const isNamedByCommand = run.name === '';
  return (
    <>
      <span>{run.createdBy}</span>
      <span>
        Started <Time at={run.createdAt} as="ago" />
      </span>
      {run.endedAt === null ? null : (
        <span>
          Ended <Time at={run.endedAt} as="ago" />
        </span>
      )}
      {run.path === '/' ? null : <span className="mono">{run.path}</span>}
      {moved === 0 ? null : (
        <span className="status warn">{plural(moved, 'file')} changed in the workspace since</span>
      )}
      {isNamedByCommand || run.command.length === 0 ? null : (
        <span className="row command-line">
          <code className="mono ellipsis">$ {commandText(run.command)}</code>
          <CopyButton text={commandText(run.command)} what="the command" />
        </span>
      )}
    </>
  );
}

function Review({
  run,
  file,
  isSideBySide,
  fileFocus,
  onFile,
  onView,
  changes,
  excluded,
  onExclude,
}: RunDetailProps & {
  readonly changes: readonly RunChange[];
  readonly excluded: ReadonlySet<string>;
  readonly onExclude: (excluded: ReadonlySet<string>) => void;
}): ReactElement {
  const lines = useStagedLines(run, changes);
  const isOpen = run.state === 'open';
  return (
    <div className="run-review">
      <ChangedFiles
        changes={changes}
        lines={lines}
        file={file}
        excluded={isOpen ? excluded : null}
        focusHandle={fileFocus}
        onOpen={onFile}
        onExclude={onExclude}
      >
        {(change) => (
          <ChangedFile
            key={change.path}
            run={run}
            change={change}
            lines={lines.get(change.path)}
            isSideBySide={isSideBySide}
            onView={onView}
          />
        )}
      </ChangedFiles>
    </div>
  );
}

function NoChanges({ run }: { readonly run: Run }): ReactElement {
  return (
    <div className="detail-body">
      <div className="empty">
        <h2>{run.state === 'open' ? 'No changes yet' : 'No changes retained'}</h2>
        {run.state === 'open' ? (
          <>
            <p>Changes appear here while the run works. The workspace does not change before the commit.</p>
            <dl className="facts run-ids">
              <dt>For an agent</dt>
              <dd>
                <Identifier text={run.runId} what="the run id" />
              </dd>
              <dt>For the API</dt>
              <dd>
                <Identifier text={run.forkId} what="the fork id" />
              </dd>
            </dl>
          </>
        ) : (
          <p>{endedTexts[run.state]}</p>
        )}
      </div>
    </div>
  );
}

const endedTexts: Readonly<Record<Exclude<Run['state'], 'open'>, string>> = {
  committed: 'The history of its files was deleted by retention.',
  discarded: 'The run was discarded. Its staged changes are deleted, and the workspace did not change.',
  undone: 'The history of its files was deleted by retention.',
  expired: 'The run was open for 30 days. Its staged changes are deleted, and the workspace did not change.',
};
