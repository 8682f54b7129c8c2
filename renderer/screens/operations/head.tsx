// The heading of Operations, with a replay of all dead-lettered operations.
import type { ReactElement } from 'react';
import { useDisabledReason } from '../../api/services.ts';
import { Button } from '../../parts/buttons/button.tsx';
import type { DeadLettered } from './queries.ts';

export function OperationsHead({
  dead,
  onReplay,
}: {
  readonly dead: DeadLettered;
  readonly onReplay: (opIds: readonly string[]) => void;
}): ReactElement {
  const disabledReason = useDisabledReason();
  const { length } = dead.items;
  return (
    <header className="work-head">
      <h1>Operations</h1>
      <span className="soft when-wide">All operations, newest first</span>
      {length === 0 ? null : (
        <span className="end">
          <Button
            icon="moving"
            disabledReason={disabledReason}
            onClick={() => onReplay(dead.items.map((each) => each.opId))}
          >
            {dead.more ? `Replay the oldest ${length} dead-lettered…` : `Replay ${length} dead-lettered…`}
          </Button>
        </span>
      )}
    </header>
  );
}
