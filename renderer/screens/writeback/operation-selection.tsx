// The bulk actions for the selected operations; only those that apply to at least one.
import type { ReactElement } from 'react';
import type { Operation } from '../../../server/contract/operations.ts';
import { useDisabledReason } from '../../api/services.ts';
import { count } from '../../model/format.ts';
import { Button } from '../../parts/buttons/button.tsx';
import { type Selection, SelectionBar } from '../../parts/tables/selection.tsx';
import { applicableTo, type BulkAction } from './bulk-dialog.tsx';

export function OperationSelection({
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
