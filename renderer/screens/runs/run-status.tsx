// The state of a run as icon, label and colour.
import type { ReactElement } from 'react';
import type { Run } from '../../../sdk/index.ts';
import { type RunStateName, runState } from '../../model/runs/run-view.ts';
import { Icon, type Meaning } from '../../parts/feedback/icon.tsx';

const looks: Readonly<Record<RunStateName, readonly [colour: string, icon: Meaning]>> = {
  Open: ['active', 'run'],
  'Partly committed': ['warn', 'committed'],
  Committed: ['ok', 'committed'],
  Discarded: ['waiting', 'canceled'],
  Undone: ['waiting', 'undo'],
  Expired: ['waiting', 'waiting'],
};

export function RunStatus({
  run,
  pill = false,
}: {
  readonly run: Run;
  readonly pill?: boolean;
}): ReactElement {
  const state = runState(run);
  const [colour, icon] = looks[state];
  return (
    <span className={`status ${colour}${pill ? ' pill' : ''}`}>
      <Icon of={icon} small />
      {state}
    </span>
  );
}
