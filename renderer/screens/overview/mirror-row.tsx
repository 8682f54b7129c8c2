// One mirror: name and folder, state, what it does now, its proof, and its actions; below, what is wrong.
import { type ReactElement, useState } from 'react';
import { Link } from 'wouter';
import type { Mirror } from '../../../server/contract/workspaces.ts';
import { useDisabledReason } from '../../api/services.ts';
import { filesHref } from '../../location/app-location.ts';
import { count, duration, plural, size } from '../../model/format.ts';
import { mirrorStatus, modeName } from '../../model/mirror/mirror-view.ts';
import { proofExtent, proofStatus, proofTime } from '../../model/mirror/proof-view.ts';
import { Button } from '../../parts/buttons/button.tsx';
import { copyText } from '../../parts/buttons/copy.tsx';
import { type PauseResume, usePauseForAnHour, usePauseResume } from '../../parts/buttons/pause-resume.tsx';
import { type RowAction, RowMenu } from '../../parts/buttons/row-menu.tsx';
import { TokenDialog } from '../../parts/dialogs/token-dialog.tsx';
import { FailureText } from '../../parts/feedback/note.tsx';
import { PathText } from '../../parts/feedback/path-text.tsx';
import { Status } from '../../parts/feedback/status.tsx';
import { Time } from '../../parts/feedback/time.tsx';
import { Halt } from './halt.tsx';
import { Problems } from './problems.tsx';

export function MirrorRow({
  mirror,
  name,
  number,
}: {
  readonly mirror: Mirror;
  readonly name: string;
  readonly number: number;
}): ReactElement {
  const disabledReason = useDisabledReason();
  const change = usePauseResume(mirror, name);
  const status = mirrorStatus(mirror);
  // Pending deletions need one of the resolutions below, not Resume.
  const canChange = (mirror.halt?.answers.length ?? 0) === 0;
  const hasDetail =
    mirror.halt !== null || change.error !== null || mirror.warnings.length + mirror.problemList.length > 0;
  return (
    <article
      id={`mirror-${mirror.mirrorId}`}
      className={`mirror-row${mirror.state === 'halted' ? ' halted' : ''}`}
      // A row is one tab stop: 1 to 9 focus it, P pauses or resumes.
      // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
      tabIndex={0}
      aria-label={`${name}: ${status.word}`}
      {...(number <= 9 ? { 'aria-keyshortcuts': String(number) } : {})}
      onKeyDown={(event) => {
        const { key, target, currentTarget } = event;
        // React bubbles key events from dialogs and menus of this row as well.
        if (!(target instanceof Node) || !currentTarget.contains(target)) return;
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        if (key.toLowerCase() === 'p') {
          if (canChange && disabledReason === null) change.run();
        } else if (key === 'Enter' && target === currentTarget) {
          currentTarget
            .querySelector<HTMLElement>('.mirror-detail .button, .mirror-actions .button')
            ?.click();
        }
      }}
    >
      <div className="mirror-name">
        <h3 className="ellipsis">
          <Link href={filesHref(mirror.workspaceId, '/', 'dir')}>{name}</Link>
        </h3>
        <PathText path={mirror.dir} />
      </div>
      <Status {...status} pill />
      <Now mirror={mirror} />
      <ProofCell mirror={mirror} />
      <Actions mirror={mirror} name={name} change={canChange ? change : null} />
      {hasDetail ? (
        <div className="mirror-detail">
          <Halt mirror={mirror} name={name} />
          <FailureText error={change.error} />
          {mirror.warnings.map(({ kind, path, cause, next }) => (
            <p key={`${kind} ${path}`} className="hint">
              <Status kind="warn" word={kind === 'rules_changed' ? 'Rules' : 'Secrets'} /> {cause} {next}
            </p>
          ))}
          {mirror.problemList.length > 0 ? <Problems mirror={mirror} /> : null}
        </div>
      ) : null}
    </article>
  );
}

function Actions({
  mirror,
  name,
  change,
}: {
  readonly mirror: Mirror;
  readonly name: string;
  /** null: neither can be done. */
  readonly change: PauseResume | null;
}): ReactElement {
  const disabledReason = useDisabledReason();
  const pauseForAnHour = usePauseForAnHour(name);
  const [tokenOpen, setTokenOpen] = useState(false);
  const actions: readonly RowAction[] = [
    ...(change?.verb === 'Pause'
      ? [
          {
            text: 'Pause for an hour',
            icon: 'paused' as const,
            disabledReason,
            run: () => void pauseForAnHour(mirror),
          },
        ]
      : []),
    { text: 'Create an access token…', icon: 'key', disabledReason, run: () => setTokenOpen(true) },
    {
      text: 'Copy the path of the folder',
      icon: 'copy',
      run: () => void copyText(mirror.dir, `the folder of ${name}`),
    },
  ];
  return (
    <div className="mirror-actions">
      {change === null ? null : (
        <Button
          kind="ghost"
          icon={change.verb === 'Pause' ? 'paused' : 'resume'}
          label={change.verb}
          shortcut="P"
          disabledReason={
            change.running ? `${change.verb === 'Pause' ? 'Pausing' : 'Resuming'}…` : disabledReason
          }
          onClick={change.run}
        />
      )}
      <RowMenu label={`More for ${name}`} actions={actions} />
      {tokenOpen ? (
        <TokenDialog workspaceId={mirror.workspaceId} name={name} onClose={() => setTokenOpen(false)} />
      ) : null}
    </div>
  );
}

function Now({ mirror }: { readonly mirror: Mirror }): ReactElement {
  const { progress, pendingLocal, pendingRemote, lastSyncAt } = mirror;
  return (
    <div className="mirror-now">
      <span className="mirror-facts">
        {progress === null ? (
          <>
            <span>{plural(mirror.files, 'file')}</span>
            {pendingLocal > 0 ? <span>{plural(pendingLocal, 'upload')} pending</span> : null}
            {pendingRemote > 0 ? <span>{plural(pendingRemote, 'download')} pending</span> : null}
            {lastSyncAt === null ? (
              <span>not synced yet</span>
            ) : (
              <span>
                synced <Time at={lastSyncAt} as="ago" />
              </span>
            )}
          </>
        ) : (
          <ProgressText progress={progress} />
        )}
        {mirror.problems > 0 ? <Status kind="warn" word={`${count(mirror.problems)} not synced`} /> : null}
        {mirror.watch === 'polling' ? <Status kind="warn" word="Polling" /> : null}
        {mirror.mode === 'two-way' ? null : <span className="tag">{modeName(mirror.mode)}</span>}
      </span>
      {progress?.total == null || progress.total === 0 ? (
        <FullScan mirror={mirror} />
      ) : (
        <div
          className="progress"
          role="progressbar"
          aria-label="Progress"
          aria-valuemin={0}
          aria-valuemax={progress.total}
          aria-valuenow={progress.done}
        >
          <span style={{ width: `${Math.min(100, (100 * progress.done) / progress.total)}%` }} />
        </div>
      )}
    </div>
  );
}

/** When the whole folder was scanned, and when it will be. */
function FullScan({ mirror: { fullScan } }: { readonly mirror: Mirror }): ReactElement | null {
  if (fullScan.lastAt === null) return null;
  return (
    <span className="mirror-scan faint">
      full scan <Time at={fullScan.lastAt} as="ago" />
      {fullScan.nextAt === null ? null : (
        <>
          , next by <Time at={fullScan.nextAt} as="clock" />
        </>
      )}
    </span>
  );
}

/** Progress, rates and remaining time; unknown values are omitted. */
function ProgressText({ progress }: { readonly progress: NonNullable<Mirror['progress']> }): ReactElement {
  const { phase, done, total, bytesDone, bytesTotal, filesPerSecond, bytesPerSecond, leftMs } = progress;
  return (
    <>
      <span>
        <b>{total === null ? count(done) : `${count(done)} of ${count(total)}`}</b>{' '}
        {phase === 'scanning' ? 'files scanned' : 'files'}
      </span>
      {leftMs === null ? null : <span>about {duration(leftMs)} left</span>}
      <span>{bytesTotal === null ? size(bytesDone) : `${size(bytesDone)} of ${size(bytesTotal)}`}</span>
      {filesPerSecond === null || bytesPerSecond === null ? null : (
        <span>
          {count(Math.round(filesPerSecond))} files/s, {size(Math.round(bytesPerSecond))}/s
        </span>
      )}
    </>
  );
}

function ProofCell({ mirror: { proof } }: { readonly mirror: Mirror }): ReactElement {
  const time = proofTime(proof);
  const extent = proofExtent(proof);
  return (
    <div className="mirror-proof" {...(extent === null ? {} : { title: extent })}>
      <Status {...proofStatus(proof)} />
      {time === null ? null : (
        <span className="faint">
          {time.kind === 'since' ? 'since ' : ''}
          {time.kind === 'before-restart' ? 'equal before the restart, ' : ''}
          <Time at={time.at} as={time.kind === 'before-restart' ? 'ago' : 'clock'} />
        </span>
      )}
      {extent === null ? null : <span className="reader-only">{extent}</span>}
    </div>
  );
}
