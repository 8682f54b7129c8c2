// One mirror: state, progress, problems, and the button that pauses or resumes it.
import { type ReactElement, useState } from 'react';
import { Link } from 'wouter';
import type { Mirror } from '../../../server/contract/workspaces.ts';
import { useDisabledReason } from '../../api/services.ts';
import { filesHref } from '../../location/app-location.ts';
import { count, duration, plural, size } from '../../model/format.ts';
import { mirrorStatus, modeName } from '../../model/mirror/mirror-view.ts';
import { Button } from '../../parts/buttons/button.tsx';
import { CopyButton } from '../../parts/buttons/copy.tsx';
import { type PauseResume, PauseResumeButton, usePauseResume } from '../../parts/buttons/pause-resume.tsx';
import { TokenDialog } from '../../parts/dialogs/token-dialog.tsx';
import { FailureText } from '../../parts/feedback/note.tsx';
import { PathText } from '../../parts/feedback/path-text.tsx';
import { Status } from '../../parts/feedback/status.tsx';
import { Time } from '../../parts/feedback/time.tsx';
import { Halt } from './halt.tsx';
import { Problems } from './problems.tsx';

export function MirrorCard({
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
  return (
    <article
      id={`mirror-${mirror.mirrorId}`}
      className={`card mirror${mirror.state === 'halted' ? ' halted' : ''}`}
      // A card is one tab stop: 1 to 9 focus it, P pauses or resumes.
      // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
      tabIndex={0}
      aria-label={`${name}: ${status.word}`}
      {...(number <= 9 ? { 'aria-keyshortcuts': String(number) } : {})}
      onKeyDown={(event) => {
        const { key, target, currentTarget } = event;
        // React bubbles key events from dialogs of this card as well.
        if (!(target instanceof Node) || !currentTarget.contains(target)) return;
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        if (key.toLowerCase() === 'p') {
          if (canChange && disabledReason === null) change.run();
        } else if (key === 'Enter' && target === currentTarget) {
          currentTarget.querySelector<HTMLElement>('button.button:not(.ghost)')?.click();
        }
      }}
    >
      <MirrorTitle mirror={mirror} name={name} change={canChange ? change : null} />
      <Halt mirror={mirror} name={name} />
      <Facts mirror={mirror} />
      <FailureText error={change.error} />
      {mirror.warnings.map(({ kind, path, cause, next }) => (
        <p key={`${kind} ${path}`} className="hint">
          <Status kind="warn" word={kind === 'rules_changed' ? 'Rules' : 'Secrets'} /> {cause} {next}
        </p>
      ))}
      {mirror.problemList.length > 0 ? <Problems mirror={mirror} /> : null}
    </article>
  );
}

function MirrorTitle({
  mirror,
  name,
  change,
}: {
  readonly mirror: Mirror;
  readonly name: string;
  /** null: without a button. */
  readonly change: PauseResume | null;
}): ReactElement {
  const disabledReason = useDisabledReason();
  const [tokenOpen, setTokenOpen] = useState(false);
  return (
    <>
      <div className="mirror-title">
        <h3>
          <Link href={filesHref(mirror.workspaceId, '/', 'dir')}>{name}</Link>
        </h3>
        <Status {...mirrorStatus(mirror)} pill />
        {mirror.mode === 'two-way' ? null : <span className="tag">{modeName(mirror.mode)}</span>}
        {mirror.watch === 'polling' ? <Status kind="warn" word="Polling" /> : null}
        <span className="end row">
          <span className="identifier">
            <PathText path={mirror.dir} />
            <CopyButton text={mirror.dir} what={`the folder of ${name}`} />
          </span>
          <Button
            kind="ghost"
            icon="key"
            label={`Create an access token for ${name}`}
            disabledReason={disabledReason}
            onClick={() => setTokenOpen(true)}
          />
          {change === null ? null : <PauseResumeButton change={change} shortcut="P" />}
        </span>
      </div>
      {tokenOpen ? (
        <TokenDialog workspaceId={mirror.workspaceId} name={name} onClose={() => setTokenOpen(false)} />
      ) : null}
    </>
  );
}

function Facts({ mirror }: { readonly mirror: Mirror }): ReactElement {
  const { progress } = mirror;
  const waiting = mirror.pendingLocal + mirror.pendingRemote;
  return (
    <>
      {progress?.total == null || progress.total === 0 ? null : (
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
      <div className="mirror-facts">
        {progress === null ? (
          <span>{plural(mirror.files, 'file')}</span>
        ) : (
          <ProgressText progress={progress} />
        )}
        {progress === null && waiting > 0 ? (
          <span>
            {plural(mirror.pendingLocal, 'upload')} and {plural(mirror.pendingRemote, 'download')} pending
          </span>
        ) : null}
        {mirror.problems > 0 ? <Status kind="warn" word={`${count(mirror.problems)} not synced`} /> : null}
        {mirror.lastSyncAt === null ? (
          <span>not synced yet</span>
        ) : (
          <span>
            synced <Time at={mirror.lastSyncAt} as="ago" />
          </span>
        )}
        {mirror.fullScan.lastAt === null ? null : (
          <span>
            full scan <Time at={mirror.fullScan.lastAt} as="ago" />
            {mirror.fullScan.nextAt === null ? null : (
              <>
                , next by <Time at={mirror.fullScan.nextAt} as="clock" />
              </>
            )}
          </span>
        )}
      </div>
    </>
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
      <span>{bytesTotal === null ? size(bytesDone) : `${size(bytesDone)} of ${size(bytesTotal)}`}</span>
      {filesPerSecond === null || bytesPerSecond === null ? null : (
        <span>
          {count(Math.round(filesPerSecond))} files/s, {size(Math.round(bytesPerSecond))}/s
        </span>
      )}
      {leftMs === null ? null : <span>about {duration(leftMs)} left</span>}
    </>
  );
}
