// What an operation sends: changes against the provider's copy, whole file, request. The preview sends nothing.
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import type { Operation, WritebackPreview } from '../../../server/contract/operations.ts';
import { describeError, useServices } from '../../api/services.ts';
import { size } from '../../model/format.ts';
import { omittedDiff } from '../../model/text/omitted-diff.ts';
import { Button } from '../../parts/buttons/button.tsx';
import { Segments } from '../../parts/buttons/segments.tsx';
import { DiffText } from '../../parts/diff/diff-text.tsx';
import { Icon } from '../../parts/feedback/icon.tsx';
import { LongText } from '../../parts/feedback/long-text.tsx';
import { RequestText } from '../../parts/feedback/request-text.tsx';

const views = [
  { value: 'changes', text: 'Changes' },
  { value: 'file', text: 'Whole file' },
  { value: 'request', text: 'Request' },
] as const;

export function OperationPreview({
  workspaceId,
  operation,
  view: viewName,
  onView,
}: {
  readonly workspaceId: string;
  readonly operation: Operation;
  readonly view: string;
  readonly onView: (view: 'changes' | 'file' | 'request') => void;
}): ReactElement {
  const { client } = useServices();
  const { opId, status } = operation;
  const view = views.find((each) => each.value === viewName)?.value ?? 'changes';
  const isFinished = status === 'succeeded' || status === 'canceled';
  const query = useQuery({
    queryKey: ['outbound-preview', workspaceId, opId, operation.revision, status],
    queryFn: async () =>
      status === 'dead_lettered'
        ? await client.operations.previewReplay(workspaceId, opId)
        : await client.writeback.preview(workspaceId, opId),
  });
  return (
    <section aria-labelledby="what-is-sent">
      <div className="row section-head">
        <h3 id="what-is-sent" className="grow">
          {status === 'succeeded'
            ? 'Sent content'
            : status === 'canceled'
              ? 'Canceled content'
              : status === 'dead_lettered'
                ? 'Retry preview'
                : 'Preview'}
        </h3>
        <Segments label="View" options={views} value={view} onChange={onView} />
      </div>
      {query.data === undefined ? (
        query.isError ? (
          <p className="row wrap">
            <span className="hint bad">{describeError(query.error)}</span>
            <Button onClick={() => void query.refetch()}>Retry</Button>
          </p>
        ) : (
          <p className="faint">Loading…</p>
        )
      ) : (
        <>
          {query.data.warnings.map((warning) => (
            <p key={warning} className="note-line">
              <Icon of="warning" small />
              {warning.charAt(0).toUpperCase() + warning.slice(1)}.
            </p>
          ))}
          {view === 'changes' ? (
            <Changes
              preview={query.data}
              provider={operation.provider ?? 'The provider'}
              isFinished={isFinished}
            />
          ) : view === 'file' ? (
            <WholeFile workspaceId={workspaceId} preview={query.data} />
          ) : (
            <RequestText preview={query.data} provider={operation.provider ?? 'the provider'} />
          )}
        </>
      )}
    </section>
  );
}

function Changes({
  preview,
  provider,
  isFinished,
}: {
  readonly preview: WritebackPreview;
  readonly provider: string;
  readonly isFinished: boolean;
}): ReactElement {
  const has =
    preview.providerRevision === undefined
      ? `${provider} has no copy, as far as Mooring knows`
      : `${provider} has ${preview.providerRevision}`;
  if (preview.diff === undefined) {
    return (
      <p className="soft">
        {preview.action === 'file_delete' ? `The file is deleted at ${provider}.` : omittedDiff(preview)}
      </p>
    );
  }
  if (preview.diff === '') return <p className="soft">{provider} has the same content already.</p>;
  return (
    <DiffText
      diff={preview.diff}
      title={`${has} · Mooring ${isFinished ? 'sent' : 'sends'} ${preview.revision}`}
    />
  );
}

function WholeFile({
  workspaceId,
  preview,
}: {
  readonly workspaceId: string;
  readonly preview: WritebackPreview;
}): ReactElement {
  const { client } = useServices();
  const deletes = preview.action === 'file_delete';
  const query = useQuery({
    queryKey: ['file', workspaceId, preview.path],
    queryFn: async () => await client.readFile(workspaceId, preview.path),
    enabled: !deletes,
  });
  if (deletes) return <p className="soft">A deletion has no content.</p>;
  if (query.isError) return <p className="hint bad">{describeError(query.error)}</p>;
  if (query.data === undefined) return <p className="faint">Loading…</p>;
  const { revision, encoding, content } = query.data;
  if (revision !== preview.revision) {
    return (
      <p className="soft">
        The file has changed to {revision}; this operation sends {preview.revision} ({size(preview.sizeBytes)}
        ). “Request” shows the content to send.
      </p>
    );
  }
  if (encoding === 'base64') return <p className="soft">Binary file, {size(preview.sizeBytes)}</p>;
  if (content === '') return <p className="soft">Empty file</p>;
  return <LongText text={content} what="the file" />;
}
