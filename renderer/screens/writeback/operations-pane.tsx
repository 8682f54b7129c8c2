// The list of items in its states: not read yet, not readable, nothing there, the items; above it what is chosen, below it how many.
import type { ReactElement, RefObject } from 'react';
import type { Operation } from '../../../server/contract/operations.ts';
import type { Workspace } from '../../../server/contract/workspaces.ts';
import type { ScreenLocation } from '../../location/screen-location.ts';
import { plural } from '../../model/format.ts';
import { LoadError } from '../../parts/feedback/failed-reading.tsx';
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
  readonly found: WritebackOperations;
  readonly isNarrowed: boolean;
  readonly place: ScreenLocation;
  readonly selection: Selection<Operation>;
  readonly focusHandle: RefObject<((begin: boolean) => void) | null>;
  readonly onAsk: (kind: BulkAction, operations: readonly Operation[]) => void;
}

export function OperationsPane(props: OperationsPaneProps): ReactElement {
  const { outbound, shown } = props.found;
  return (
    <section className="pane list" aria-label="Items">
      <OperationSelection selection={props.selection} of={shown.length} onAsk={props.onAsk} />
      <OperationsOrState {...props} />
      <div className="pane-foot">
        {outbound.data === undefined ? null : (
          <span>
            {plural(shown.length, 'item')}. Items of one path are sent in order, one at a time.
            {outbound.data.cut ? ' Not all are shown: there are too many to read at once.' : ''}
          </span>
        )}
      </div>
    </section>
  );
}

function OperationsOrState({
  workspace,
  found: { outbound, providers, groups, shown },
  isNarrowed,
  place,
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
          retry="By itself, when the agent answers again."
          onAgain={() => void Promise.all([outbound.refetch(), providers.refetch()])}
        />
      </div>
    );
  }
  if (groups.length === 0 || (shown.length === 0 && isNarrowed)) {
    return (
      <EmptyWriteback
        workspace={workspace}
        providers={providers.data.providers}
        narrowed={isNarrowed}
        onShowAll={() => place.go({ fields: { filter: '', text: '' } })}
      />
    );
  }
  return (
    <WritebackList
      workspaceId={workspaceId}
      groups={groups}
      selected={place.selected}
      selection={selection}
      focusHandle={focusHandle}
      onSelect={(opId) => place.go({ selected: opId, replace: place.selected !== null })}
      onEnter={focusReadingRegion}
    />
  );
}
