// The list pane of Writeback: loading, error, empty or list; above it the selection, below it the number.
import type { ReactElement, RefObject } from 'react';
import type { Operation } from '../../../server/contract/operations.ts';
import type { Workspace } from '../../../server/contract/workspaces.ts';
import type { ScreenLocation } from '../../location/screen-location.ts';
import { plural } from '../../model/format.ts';
import { LoadError } from '../../parts/feedback/load-error.tsx';
import { focusReadingRegion } from '../../parts/feedback/reading-region.tsx';
import type { Selection } from '../../parts/tables/selection.tsx';
import { SkeletonRows } from '../../parts/tables/skeleton-rows.tsx';
import type { BulkAction } from './bulk-dialog.tsx';
import { EmptyWriteback } from './empty-writeback.tsx';
import { WritebackList } from './list.tsx';
import { OperationSelection } from './operation-selection.tsx';
import type { WritebackOperations } from './use-operations.ts';

interface OperationsPaneProps {
  readonly workspace: Workspace;
  readonly loaded: WritebackOperations;
  readonly isFiltered: boolean;
  readonly location: ScreenLocation;
  readonly selection: Selection<Operation>;
  readonly focusHandle: RefObject<((begin: boolean) => void) | null>;
  readonly onAsk: (action: BulkAction, operations: readonly Operation[]) => void;
}

export function OperationsPane(props: OperationsPaneProps): ReactElement {
  const { outbound, shown } = props.loaded;
  return (
    <section className="pane list" aria-label="Operations">
      <OperationSelection selection={props.selection} of={shown.length} onAsk={props.onAsk} />
      <OperationsOrState {...props} />
      <div className="pane-foot">
        {outbound.data === undefined ? null : (
          <span>
            {plural(shown.length, 'operation')}. Operations of one path are sent in order, one at a time.
            {outbound.data.cut ? ' The list is truncated.' : ''}
          </span>
        )}
      </div>
    </section>
  );
}

function OperationsOrState({
  workspace,
  loaded: { outbound, providers, groups, shown },
  isFiltered,
  location,
  selection,
  focusHandle,
}: OperationsPaneProps): ReactElement {
  const { workspaceId } = workspace;
  if (outbound.data === undefined || providers.data === undefined) {
    const failure = outbound.error ?? providers.error;
    if (failure === null) return <SkeletonRows />;
    return (
      <div className="binary">
        <LoadError
          error={failure}
          path={workspaceId}
          retry="Retries automatically when the agent responds."
          onAgain={() => void Promise.all([outbound.refetch(), providers.refetch()])}
        />
      </div>
    );
  }
  if (groups.length === 0 || (shown.length === 0 && isFiltered)) {
    return (
      <EmptyWriteback
        workspace={workspace}
        providers={providers.data.providers}
        isFiltered={isFiltered}
        onShowAll={() => location.go({ fields: { filter: '', text: '' } })}
      />
    );
  }
  return (
    <WritebackList
      workspaceId={workspaceId}
      groups={groups}
      selected={location.selected}
      selection={selection}
      focusHandle={focusHandle}
      onSelect={(opId) => location.go({ selected: opId, replace: location.selected !== null })}
      onEnter={focusReadingRegion}
    />
  );
}
