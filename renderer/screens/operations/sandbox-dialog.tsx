// A replay tried without sending anything: what it would carry, of the file as it is now and of the original, and to whom.
import { type ReactElement, useState } from 'react';
import type { Operation, ReplayOf, WritebackPreview } from '../../../sdk/index.ts';
import { describeError } from '../../api/services.ts';
import { sentence } from '../../model/inbound/dead-letter-view.ts';
import { sandboxSummary } from '../../model/outbound/operation-view.ts';
import { omittedDiff } from '../../model/text/omitted-diff.ts';
import { Button } from '../../parts/buttons/button.tsx';
import { Segments } from '../../parts/buttons/segments.tsx';
import { Dialog } from '../../parts/dialogs/dialog.tsx';
import { DiffText } from '../../parts/diff/diff-text.tsx';
import { Icon } from '../../parts/feedback/icon.tsx';
import { RequestText } from '../../parts/feedback/request-text.tsx';
import { useReplayPreview } from './queries.ts';

const sends: readonly { readonly value: ReplayOf; readonly text: string }[] = [
  { value: 'current', text: 'The file as it is now' },
  { value: 'original', text: 'The original' },
];
type View = 'changes' | 'request';
const views: readonly { readonly value: View; readonly text: string }[] = [
  { value: 'changes', text: 'Changes' },
  { value: 'request', text: 'Request' },
];

export function SandboxDialog({
  workspaceId,
  operation,
  first,
  onClose,
}: {
  readonly workspaceId: string;
  readonly operation: Operation;
  /** What is tried first. */
  readonly first: ReplayOf;
  readonly onClose: () => void;
}): ReactElement {
  const [send, setSend] = useState<ReplayOf>(first);
  const [view, setView] = useState<View>('changes');
  const preview = useReplayPreview(workspaceId, operation.opId, send);
  return (
    <Dialog title={`${operation.opId} in a sandbox`} onClose={onClose} wide>
      <div className="dialog-body sandbox">
        <div className="row wrap">
          <Segments label="What is tried" options={sends} value={send} onChange={setSend} />
          <span className="end">
            <Segments label="View" options={views} value={view} onChange={setView} />
          </span>
        </div>
        {preview.isError ? (
          <p className="hint bad" role="alert">
            {describeError(preview.error)}
          </p>
        ) : preview.data === undefined ? (
          <p className="faint">Working out what it would send.</p>
        ) : (
          <Tried operation={operation} preview={preview.data} view={view} />
        )}
      </div>
      <div className="dialog-actions">
        <span className="faint grow">Nothing is sent and nothing is changed by looking.</span>
        <Button kind="primary" onClick={onClose}>
          Close
        </Button>
      </div>
    </Dialog>
  );
}

function Tried({
  operation,
  preview,
  view,
}: {
  readonly operation: Operation;
  readonly preview: WritebackPreview;
  readonly view: View;
}): ReactElement {
  const provider = operation.provider ?? 'the provider';
  return (
    <>
      <p className="check-note">
        <Icon of="info" small />
        <span>{sandboxSummary(preview, provider)}</span>
      </p>
      {preview.warnings.map((warning) => (
        <p key={warning} className="check-note warn">
          <Icon of="warning" small />
          <span>{sentence(warning)}</span>
        </p>
      ))}
      <section
        className="sandbox-shown"
        aria-label={view === 'request' ? 'The request' : 'The changes'}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling regions must be reachable by keyboard
        tabIndex={0}
      >
        {view === 'request' ? (
          <RequestText preview={preview} provider={provider} />
        ) : preview.diff === undefined ? (
          <p className="soft">{omittedDiff(preview)}</p>
        ) : preview.diff === '' ? (
          <p className="soft">No line differs from what {provider} has.</p>
        ) : (
          <DiffText diff={preview.diff} title={`${preview.revision}, against what ${provider} has`} />
        )}
      </section>
    </>
  );
}
