// The head of Operations: how many plain saves are hidden, and the bulk replay.
import type { ReactElement } from 'react';
import { useDisabledReason } from '../../api/services.ts';
import { count, plural } from '../../model/format.ts';
import { Button } from '../../parts/buttons/button.tsx';
import { type DeadLettered, hidesPlainSaves, type OperationsQuery } from './queries.ts';

/** The agent counts no further. */
const plainSavesMax = 100_000;

export function OperationsHead({
  dead,
  query,
  plainSaves,
  onSaves,
  onReplay,
}: {
  readonly dead: DeadLettered;
  readonly query: OperationsQuery;
  /** Saves that are hidden; null: not known. */
  readonly plainSaves: number | null;
  /** Shows or hides saves that no provider needs. */
  readonly onSaves: (isAll: boolean) => void;
  readonly onReplay: (opIds: readonly string[]) => void;
}): ReactElement {
  const disabledReason = useDisabledReason();
  const { length } = dead.items;
  return (
    <header className="work-head">
      <h1>Operations</h1>
      <PlainSaves query={query} hidden={plainSaves} onSaves={onSaves} />
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

/** How many saves of no provider are hidden, and the switch for them. */
function PlainSaves({
  query,
  hidden,
  onSaves,
}: {
  readonly query: OperationsQuery;
  readonly hidden: number | null;
  readonly onSaves: (isAll: boolean) => void;
}): ReactElement | null {
  const hides = hidesPlainSaves(query);
  if (!hides && !query.isAll) return <span className="soft when-wide ellipsis">Newest first</span>;
  if (hides && (hidden ?? 0) === 0) return null;
  const number =
    hidden === plainSavesMax
      ? `${count(plainSavesMax)} or more plain saves`
      : plural(hidden ?? 0, 'plain save');
  return (
    <span className="soft row">
      <span title="Saves of paths without a registered provider: nothing was sent. Activity lists them, too.">
        {hides ? `${number} hidden` : 'Plain saves are shown'}
      </span>
      <button type="button" className="more" onClick={() => onSaves(hides)}>
        {hides ? 'Show' : 'Hide'}
        <span className="reader-only"> plain saves</span>
      </button>
    </span>
  );
}
