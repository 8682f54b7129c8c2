// A sandbox: shows what a replay would send, for the current file and for the original revision, without sending it.
import { type ReactElement, useState } from 'react';
import type { Operation, ReplayOf, WritebackPreview } from '../../../sdk/index.ts';
import { sentence } from '../../model/inbound/dead-letter-view.ts';
import { sandboxSummary } from '../../model/outbound/operation-view.ts';
import { omittedDiff } from '../../model/text/omitted-diff.ts';
import { Button } from '../../parts/buttons/button.tsx';
import { Segments } from '../../parts/buttons/segments.tsx';
import { Dialog } from '../../parts/dialogs/dialog.tsx';
import { DiffText } from '../../parts/diff/diff-text.tsx';
import { FailureText, Note } from '../../parts/feedback/note.tsx';
import { RequestText } from '../../parts/feedback/request-text.tsx';
import { useReplayPreview } from './queries.ts';

const sends: readonly { readonly value: ReplayOf; readonly text: string }[] = [
  { value: 'current', text: 'Current file' },
  { value: 'original', text: 'Original revision' },
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
  /** Selected at first. */
  readonly first: ReplayOf;
  readonly onClose: () => void;
}): ReactElement {
  const [send, setSend] = useState<ReplayOf>(first);
  const [view, setView] = useState<View>('changes');
  const preview = useReplayPreview(workspaceId, operation.opId, send);
  return (
    <Dialog title={`Sandbox: ${operation.opId}`} onClose={onClose} wide>
      <div className="dialog-body sandbox">
        <div className="row wrap">
          <Segments label="Content" options={sends} value={send} onChange={setSend} />
          <span className="end">
            <Segments label="View" options={views} value={view} onChange={setView} />
          </span>
        </div>
        {preview.isError ? (
          <FailureText error={preview.error} />
        ) : preview.data === undefined ? (
          <p className="faint">Loading…</p>
        ) : (
          <SandboxResult operation={operation} preview={preview.data} view={view} />
        )}
      </div>
      <div className="dialog-actions">
        <span className="faint grow">The sandbox sends and changes nothing.</span>
        <Button kind="primary" onClick={onClose}>
          Close
        </Button>
      </div>
    </Dialog>
  );
}

function SandboxResult({
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
      <Note>{sandboxSummary(preview, provider)}</Note>
      {preview.warnings.map((warning) => (
        <Note key={warning} icon="warning">
          {sentence(warning)}
        </Note>
      ))}
      <section
        className="sandbox-shown"
        aria-label={view === 'request' ? 'Request' : 'Changes'}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling regions must be reachable by keyboard
        tabIndex={0}
      >
        {view === 'request' ? (
          <RequestText preview={preview} provider={provider} />
        ) : preview.diff === undefined ? (
          <p className="soft">{omittedDiff(preview)}</p>
        ) : preview.diff === '' ? (
          <p className="soft">No differences from the copy of {provider}.</p>
        ) : (
          <DiffText
            diff={preview.diff}
            title={`${preview.revision}, compared with the copy of ${provider}`}
          />
        )}
      </section>
    </>
  );
}
