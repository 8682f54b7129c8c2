// The detail pane of a conflict: its versions, the merge, and the four ways to resolve it.
import type { ReactElement } from 'react';
import type { ConflictDetail as Detail } from '../../../server/contract/conflicts.ts';
import { conflictAbout } from '../../model/mirror/conflict-view.ts';
import { Button } from '../../parts/buttons/button.tsx';
import { QueryError } from '../../parts/feedback/load-error.tsx';
import { SkeletonRows } from '../../parts/tables/skeleton-rows.tsx';
import { ConflictBody } from './body.tsx';
import { type ConflictViewName, views } from './comparison.ts';
import { ConflictHead } from './head.tsx';
import { useConflict } from './queries.ts';
import { notListedReason, type Resolution, type ResolutionOptions, useResolution } from './use-resolution.ts';

interface DetailProps extends Omit<ResolutionOptions, 'detail'> {
  readonly view: string;
  readonly onView: (view: ConflictViewName) => void;
  readonly onClose: () => void;
}

export function ConflictDetail(props: DetailProps): ReactElement {
  const query = useConflict(props.workspaceId, props.conflictId);
  if (query.data !== undefined) return <LoadedConflict {...props} detail={query.data} />;
  if (query.error === null) return <SkeletonRows />;
  return (
    <QueryError
      query={query}
      path={props.conflictId}
      retry="Retries automatically when this workspace changes. A resolved conflict is no longer available."
    />
  );
}

function LoadedConflict(props: DetailProps & { readonly detail: Detail }): ReactElement {
  const { detail, listed, onView, onClose } = props;
  const resolution = useResolution(props);
  const { comparison } = resolution;
  const isMergeable = detail.base !== null && comparison?.notMergeable === null;
  const view = (isMergeable && views.find((each) => each === props.view)) || 'sides';
  return (
    <>
      <ConflictHead
        detail={detail}
        comparison={comparison}
        view={view}
        isMergeable={isMergeable}
        onView={onView}
        onClose={onClose}
      />
      {listed === null ? <p className="note-line plain">{notListedReason}</p> : null}
      <ConflictBody
        detail={detail}
        about={conflictAbout(detail.conflict)}
        view={view}
        resolution={resolution}
      />
      <Foot resolution={resolution} />
    </>
  );
}

function Foot({
  resolution: { keep, merge, merged, disabledReasonOf },
}: {
  readonly resolution: Resolution;
}): ReactElement {
  const isDecided = merged === null || merged.undecided === 0;
  return (
    <div className="detail-foot">
      <Button shortcut="1" disabledReason={disabledReasonOf('folder')} onClick={() => keep('folder')}>
        Keep local
      </Button>
      <Button shortcut="2" disabledReason={disabledReasonOf('workspace')} onClick={() => keep('workspace')}>
        Keep remote
      </Button>
      <Button shortcut="3" disabledReason={disabledReasonOf('both')} onClick={() => keep('both')}>
        Keep both
      </Button>
      <Button
        kind="primary"
        icon="conflict"
        shortcut="M"
        disabledReason={disabledReasonOf('merged')}
        onClick={merge}
      >
        {isDecided ? 'Save merge' : 'Merge…'}
      </Button>
    </div>
  );
}
