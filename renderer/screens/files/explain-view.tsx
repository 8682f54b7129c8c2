// Explains the sync status of a file in each mirror: its state, the versions on both sides, and its problem.
import { useQuery } from '@tanstack/react-query';
import { Fragment, type ReactElement } from 'react';
import { useServices } from '../../api/services.ts';
import { useLiveRefresh } from '../../api/use-live-refresh.ts';
import { type ExplainedMirror, explainedStatus, observedRows } from '../../model/mirror/explain-view.ts';
import { Identifier } from '../../parts/buttons/copy.tsx';
import { ErrorBlock, RetryAt } from '../../parts/feedback/error-block.tsx';
import { QueryError } from '../../parts/feedback/load-error.tsx';
import { ReadingRegion } from '../../parts/feedback/reading-region.tsx';
import { Status } from '../../parts/feedback/status.tsx';
import { SkeletonRows } from '../../parts/tables/skeleton-rows.tsx';

/** A transfer or a retry in a mirror causes no event for this path, so the explanation is loaded at an interval. */
const pollMs = 5_000;

export function ExplainView({
  workspaceId,
  path,
}: {
  readonly workspaceId: string;
  readonly path: string;
}): ReactElement {
  const { client } = useServices();
  const queryKey = ['explain', workspaceId, path];
  const query = useQuery({
    queryKey,
    queryFn: async ({ signal }) => await client.mirrors.explain(workspaceId, path, { signal }),
    refetchInterval: pollMs,
  });
  useLiveRefresh(workspaceId, queryKey);
  if (query.data === undefined) {
    if (query.error === null) return <SkeletonRows />;
    return <QueryError query={query} path={path} />;
  }
  const { mirrors } = query.data;
  if (mirrors.length === 0) {
    return (
      <div className="empty">
        <h2>Not mirrored</h2>
        <p>This file exists only in the workspace. Mirror this path to sync it to a folder.</p>
      </div>
    );
  }
  return (
    <ReadingRegion name="Explain" className="explain">
      {mirrors.map((mirror) => (
        <InMirror key={mirror.mirrorId} mirror={mirror} />
      ))}
    </ReadingRegion>
  );
}

function InMirror({ mirror }: { readonly mirror: ExplainedMirror }): ReactElement {
  const { problem } = mirror;
  return (
    <section className="explained" aria-label={mirror.dir}>
      <div className="row wrap">
        <Status {...explainedStatus(mirror)} pill />
        <Identifier text={mirror.dir} what="the folder" />
      </div>
      {problem === null ? (
        <p>{mirror.why}</p>
      ) : (
        <ErrorBlock
          tone={problem.retryAt === null ? 'bad' : 'warn'}
          cause={problem.cause}
          path={<span className="mono">{mirror.dir}</span>}
          next={problem.next}
          retry={<RetryAt at={problem.retryAt} otherwise="No automatic retry. Follow the step under Next." />}
        />
      )}
      <dl className="facts">
        {observedRows(mirror.observed).map(({ where, what, contentHash }) => (
          <Fragment key={where}>
            <dt>{where}</dt>
            <dd>
              {what === null ? <span className="faint">none</span> : <span className="mono">{what}</span>}
              {contentHash === null ? null : (
                <Identifier text={contentHash} what="the hash" shown={`${contentHash.slice(0, 12)}…`} />
              )}
            </dd>
          </Fragment>
        ))}
      </dl>
      <p className="hint">
        {mirror.rule === null ? (
          'Status unavailable'
        ) : (
          <>
            Sync rule: <span className="mono unbroken">{mirror.rule}</span>
          </>
        )}
      </p>
    </section>
  );
}
