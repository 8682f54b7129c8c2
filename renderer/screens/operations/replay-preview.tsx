// The choice of a replay: the current file or the original revision, each with its changes at the provider.
import { type ReactElement, useId } from 'react';
import type { ReplayOf } from '../../../sdk/index.ts';
import { size } from '../../model/format.ts';
import { sentence } from '../../model/inbound/dead-letter-view.ts';
import { omittedDiff } from '../../model/text/omitted-diff.ts';
import { Segments } from '../../parts/buttons/segments.tsx';
import { DiffText } from '../../parts/diff/diff-text.tsx';
import { FailureText, Note } from '../../parts/feedback/note.tsx';
import { useReplayPreview } from './queries.ts';

const names: Readonly<Record<ReplayOf, string>> = {
  current: 'Send current file',
  original: 'Send original revision',
};

export function ReplayPreview({
  workspaceId,
  opId,
  send,
  onSend,
}: {
  readonly workspaceId: string;
  readonly opId: string;
  readonly send: ReplayOf;
  readonly onSend: (send: ReplayOf) => void;
}): ReactElement {
  const title = useId();
  const previews = {
    current: useReplayPreview(workspaceId, opId, 'current'),
    original: useReplayPreview(workspaceId, opId, 'original'),
  };
  const chosen = previews[send];
  const preview = chosen.data;
  return (
    <section className="work-section" aria-labelledby={title}>
      <h3 id={title}>Replay preview</h3>
      <div className="row wrap">
        <Segments
          labelledBy={title}
          options={(['current', 'original'] as const).map((value) => ({ value, text: names[value] }))}
          value={send}
          onChange={onSend}
        />
        <span className="mono soft">{preview?.revision ?? ''}</span>
      </div>
      {chosen.isError ? (
        <FailureText error={chosen.error} />
      ) : preview === undefined ? (
        <p className="hint">Loading…</p>
      ) : (
        <>
          <p className="hint">
            {preview.action === 'file_delete'
              ? 'Deletes the file at the provider. '
              : `${size(preview.sizeBytes)}. `}
            {preview.providerRevision === undefined
              ? 'The provider has no copy, as far as Mooring knows.'
              : `The provider has ${preview.providerRevision}.`}
          </p>
          {preview.warnings.map((warning) => (
            <Note key={warning} icon="warning">
              {sentence(warning)}
            </Note>
          ))}
          {preview.diff === undefined ? (
            <p className="hint">{omittedDiff(preview)}</p>
          ) : preview.diff === '' ? (
            <p className="hint">No differences from the provider’s copy.</p>
          ) : (
            <DiffText diff={preview.diff} title="Compared with the provider’s copy" />
          )}
        </>
      )}
    </section>
  );
}
