// The heading of Operations, with the replay of all that ended for good.
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
      <span className="soft when-wide">Every change, newest first.</span>
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
