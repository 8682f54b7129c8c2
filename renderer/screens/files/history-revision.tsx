// One revision of a file: its author, its diff to the revision before, and its actions.
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import type { FileDiff } from '../../../server/contract/history.ts';
import { useServices } from '../../api/services.ts';
import { actorName, entryLabel } from '../../model/files/history-view.ts';
import { size } from '../../model/format.ts';
import { Identifier } from '../../parts/buttons/copy.tsx';
import { DiffText } from '../../parts/diff/diff-text.tsx';
import { LoadError } from '../../parts/feedback/load-error.tsx';
import { ReadingRegion } from '../../parts/feedback/reading-region.tsx';
import { Time } from '../../parts/feedback/time.tsx';
import { RevisionActions, type RevisionActionsProps } from './revision-actions.tsx';

export function HistoryRevision({
  isReadOnly,
  ...revision
}: RevisionActionsProps & { readonly isReadOnly: boolean }): ReactElement {
  const { workspaceId, path, entry } = revision;
  const { client } = useServices();
  const diff = useQuery({
    queryKey: ['diff', workspaceId, path, entry.revision],
    queryFn: async ({ signal }) =>
      await client.history.diff(workspaceId, path, { to: entry.revision, signal }),
  });
  return (
    <div className="history-revision">
      <ReadingRegion className="history-change" name={`Changes in ${entry.revision}`}>
        <p className="hint">
          {entryLabel(entry)} by {actorName(entry)}, <Time at={entry.at} as="ago" />, correlation id{' '}
          <Identifier text={entry.correlationId} what="the correlation id" />
        </p>
        {diff.data !== undefined ? (
          <Difference diff={diff.data} />
        ) : diff.isError ? (
          <LoadError
            error={diff.error}
            path={path}
            retry="Retries automatically when the agent responds"
            onAgain={() => void diff.refetch()}
          />
        ) : (
          <p className="faint">Comparing…</p>
        )}
      </ReadingRegion>
      {isReadOnly ? null : <RevisionActions {...revision} />}
    </div>
  );
}

function Difference({ diff }: { readonly diff: FileDiff }): ReactElement {
  const { kind, patch = '', from, to } = diff;
  const sizes = `${from === null ? 'no file' : size(from.size)} before, ${to === null ? 'no file' : size(to.size)} after`;
  if (kind === 'binary') return <p className="soft">Binary file: {sizes}</p>;
  if (kind === 'too_different') return <p className="soft">Too different for a line view: {sizes}</p>;
  if (kind === 'too_large') return <p className="soft">Too large to compare: {sizes}</p>;
  if (patch === '') return <p className="soft">Content unchanged</p>;
  return <DiffText diff={patch} title={from === null ? 'New file' : `Changes since ${from.revision}`} />;
}
