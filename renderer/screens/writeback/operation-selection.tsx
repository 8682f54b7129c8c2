// What can be done with the chosen items; what fits none of them is not offered.
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
  readonly onAsk: (kind: BulkAction, operations: readonly Operation[]) => void;
}): ReactElement {
  const disabledReason = useDisabledReason();
  const failed = applicableTo('retry', selection.rows).length;
  const pending = applicableTo('stop', selection.rows).length;
  return (
    <SelectionBar
      selection={selection}
      of={of}
      {...(failed + pending === 0 ? { note: 'None of them waits or failed.' } : {})}
    >
      {failed === 0 ? null : (
        <Button shortcut="R" disabledReason={disabledReason} onClick={() => onAsk('retry', selection.rows)}>
          {`Retry ${count(failed)}…`}
        </Button>
      )}
      {pending === 0 ? null : (
        <>
          <Button disabledReason={disabledReason} onClick={() => onAsk('send', selection.rows)}>
            {`Send ${count(pending)} now…`}
          </Button>
          <Button disabledReason={disabledReason} onClick={() => onAsk('stop', selection.rows)}>
            {`Do not send ${count(pending)}…`}
          </Button>
        </>
      )}
    </SelectionBar>
  );
}
