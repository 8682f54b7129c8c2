// The list of items in its states: not read yet, not readable, nothing there, the items; above it what is chosen, below it how many.
import type { ReactElement, RefObject } from 'react';
import type { Operation } from '../../../server/contract/operations.ts';
import type { Workspace } from '../../../server/contract/workspaces.ts';
import type { ScreenPlace } from '../../location/screen-location.ts';
import { counted } from '../../model/format.ts';
import { FailedReading } from '../../parts/feedback/failed-reading.tsx';
import { enterReading } from '../../parts/feedback/reading-region.tsx';
import type { Selection } from '../../parts/tables/selection.tsx';
import { SkeletonRows } from '../../parts/tables/skeleton-rows.tsx';
import type { BulkItems } from './bulk-dialog.tsx';
import { NothingWaits } from './empty-writeback.tsx';
import { WritebackList } from './list.tsx';
import { ItemSelection } from './operation-selection.tsx';
import type { WritebackItems } from './use-operations.ts';

interface ItemsPaneProps {
  readonly workspace: Workspace;
  readonly found: WritebackItems;
  readonly isNarrowed: boolean;
  readonly place: ScreenPlace;
  readonly selection: Selection<Operation>;
  readonly focusHandle: RefObject<((begin: boolean) => void) | null>;
  readonly onAsk: (kind: BulkItems, operations: readonly Operation[]) => void;
}

export function ItemsPane(props: ItemsPaneProps): ReactElement {
  const { outbound, items } = props.found;
  return (
    <section className="pane list" aria-label="Items">
      <ItemSelection selection={props.selection} of={items.length} onAsk={props.onAsk} />
      <ItemsOrWhyNot {...props} />
      <div className="pane-foot">
        {outbound.data === undefined ? null : (
          <span>
            {counted(items.length, 'item')}. Items of one path are sent in order, one at a time.
            {outbound.data.cut ? ' Not all are shown: there are too many to read at once.' : ''}
          </span>
        )}
      </div>
    </section>
  );
}

function ItemsOrWhyNot({
  workspace,
  found: { outbound, providers, groups, items },
  isNarrowed,
  place,
  selection,
  focusHandle,
}: ItemsPaneProps): ReactElement {
  const { workspaceId } = workspace;
  if (outbound.data === undefined || providers.data === undefined) {
    const failure = outbound.error ?? providers.error;
    if (failure === null) return <SkeletonRows />;
    return (
      <div className="binary">
        <FailedReading
          error={failure}
          path={workspaceId}
          retry="By itself, when the agent answers again."
          onAgain={() => void Promise.all([outbound.refetch(), providers.refetch()])}
        />
      </div>
    );
  }
  if (groups.length === 0 || (items.length === 0 && isNarrowed)) {
    return (
      <NothingWaits
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
      onEnter={enterReading}
    />
  );
}
