// The state of an open circuit with its countdown; nothing while the circuit is closed.
import type { ReactElement } from 'react';
import type { Provider } from '../../../server/contract/providers.ts';
import { circuitNote } from '../../model/outbound/outbound-view.ts';
import { useNow } from './time.tsx';

interface CircuitNoteProps {
  readonly provider: Provider;
  /** null: within a text. */
  readonly className: string | null;
}

export function CircuitNote(props: CircuitNoteProps): ReactElement | null {
  return props.provider.circuit === 'closed' ? null : <Counting {...props} />;
}

/** A component of its own, so that only an open circuit renders each second. */
function Counting({ provider, className }: CircuitNoteProps): ReactElement | null {
  const note = circuitNote(provider, useNow());
  return note === null ? null : <span className={className ?? undefined}>{note}</span>;
}
