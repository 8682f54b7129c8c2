// The list pane of Writeback: loading, error, empty or list; below it the number, or the selection.
import { type ReactElement, type RefObject, useMemo } from 'react';
import type { Operation } from '../../../server/contract/operations.ts';
import type { Provider } from '../../../server/contract/providers.ts';
import type { Workspace } from '../../../server/contract/workspaces.ts';
import { useDisabledReason } from '../../api/services.ts';
import type { ScreenLocation } from '../../location/screen-location.ts';
import { count, plural } from '../../model/format.ts';
import { sortedOperations, writebackColumns } from '../../model/outbound/operation-columns.ts';
import { Button } from '../../parts/buttons/button.tsx';
import { CopyButton } from '../../parts/buttons/copy.tsx';
import { EmptyList } from '../../parts/feedback/empty-list.tsx';
import { LoadError } from '../../parts/feedback/load-error.tsx';
import { focusReadingRegion } from '../../parts/feedback/reading-region.tsx';
import { type Selection, SelectionBar } from '../../parts/tables/selection.tsx';
import { SkeletonRows } from '../../parts/tables/skeleton-rows.tsx';
import { useSort } from '../../parts/tables/use-sort.ts';
import { applicableTo, type BulkAction } from './bulk-dialog.tsx';
import { WritebackList } from './list.tsx';
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
      <OperationsOrState {...props} />
      <OperationSelection selection={props.selection} of={shown.length} onAsk={props.onAsk} />
      <div className={props.selection.rows.length > 0 ? 'reader-only' : 'pane-foot'}>
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
  const sorting = useSort(location, writebackColumns);
  const { sort } = sorting;
  const sortedGroups = useMemo(
    () => groups.map((group) => ({ ...group, operations: sortedOperations(group.operations, sort) })),
    [groups, sort],
  );
  if (outbound.data === undefined || providers.data === undefined) {
    const failure = outbound.error ?? providers.error;
    if (failure === null) return <SkeletonRows />;
    return (
      <div className="binary">
        <LoadError
          error={failure}
          path={workspaceId}
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
      groups={sortedGroups}
      sorting={sorting}
      selected={location.selected}
      selection={selection}
      focusHandle={focusHandle}
      onSelect={(opId) => location.go({ selected: opId, replace: location.selected !== null })}
      onEnter={focusReadingRegion}
    />
  );
}

function EmptyWriteback({
  workspace,
  providers,
  isFiltered,
  onShowAll,
}: {
  readonly workspace: Workspace;
  readonly providers: readonly Provider[];
  /** A filter hides operations. */
  readonly isFiltered: boolean;
  readonly onShowAll: () => void;
}): ReactElement {
  if (isFiltered) {
    return (
      <EmptyList icon="filter" title="No operations match">
        <p>The filters hide all operations.</p>
        <div className="row">
          <Button onClick={onShowAll}>Show all</Button>
        </div>
      </EmptyList>
    );
  }
  const command = `mooring provider add github --workspace ${workspace.workspaceId}`;
  return (
    <EmptyList icon="writeback" title="No operations">
      <p>
        Changes below <span className="mono">/github/</span> are sent to the provider “github” once it is
        registered. {providers.length === 0 ? 'Without a provider, all data stays on this computer.' : ''}
      </p>
      <div className="code-line">
        <code className="code">{command}</code>
        <CopyButton text={command} what="the command" />
      </div>
      <p className="hint">
        Your program reads and acknowledges the operations. With <span className="mono unbroken">--url</span>{' '}
        the agent sends them to that URL, signed.
      </p>
    </EmptyList>
  );
}

function OperationSelection({
  selection,
  of,
  onAsk,
}: {
  readonly selection: Selection<Operation>;
  readonly of: number;
  readonly onAsk: (action: BulkAction, operations: readonly Operation[]) => void;
}): ReactElement {
  const disabledReason = useDisabledReason();
  const failed = applicableTo('replay', selection.rows).length;
  const pending = applicableTo('cancel', selection.rows).length;
  return (
    <SelectionBar
      selection={selection}
      of={of}
      {...(failed + pending === 0 ? { note: 'None is pending or failed' } : {})}
    >
      {failed === 0 ? null : (
        <Button shortcut="R" disabledReason={disabledReason} onClick={() => onAsk('replay', selection.rows)}>
          {`Retry ${count(failed)}…`}
        </Button>
      )}
      {pending === 0 ? null : (
        <>
          <Button disabledReason={disabledReason} onClick={() => onAsk('retryNow', selection.rows)}>
            {`Retry ${count(pending)} now…`}
          </Button>
          <Button disabledReason={disabledReason} onClick={() => onAsk('cancel', selection.rows)}>
            {`Cancel ${count(pending)}…`}
          </Button>
        </>
      )}
    </SelectionBar>
  );
}
