// What can be done with the chosen items; what fits none of them is not offered.
import type { ReactElement } from 'react';
import type { Operation } from '../../../server/contract/operations.ts';
import { useBlocked } from '../../api/services.ts';
import { count } from '../../model/format.ts';
import { Button } from '../../parts/buttons/button.tsx';
import { type Selection, SelectionBar } from '../../parts/tables/selection.tsx';
import { type BulkItems, fitFor } from './bulk-dialog.tsx';

export function ItemSelection({
  selection,
  of,
  onAsk,
}: {
  readonly selection: Selection<Operation>;
  readonly of: number;
  readonly onAsk: (kind: BulkItems, operations: readonly Operation[]) => void;
}): ReactElement {
  const blocked = useBlocked();
  const failed = fitFor('retry', selection.rows).length;
  const pending = fitFor('stop', selection.rows).length;
  return (
    <SelectionBar
      selection={selection}
      of={of}
      {...(failed + pending === 0 ? { note: 'None of them waits or failed.' } : {})}
    >
      {failed === 0 ? null : (
        <Button shortcut="R" blocked={blocked} onClick={() => onAsk('retry', selection.rows)}>
          {`Retry ${count(failed)}…`}
        </Button>
      )}
      {pending === 0 ? null : (
        <>
          <Button blocked={blocked} onClick={() => onAsk('send', selection.rows)}>
            {`Send ${count(pending)} now…`}
          </Button>
          <Button blocked={blocked} onClick={() => onAsk('stop', selection.rows)}>
            {`Do not send ${count(pending)}…`}
          </Button>
        </>
      )}
    </SelectionBar>
  );
}
