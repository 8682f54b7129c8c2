// The line under the top bar while the agent is not responding: age of the data, next attempt.
import type { ReactElement } from 'react';
import type { LinkState } from '../api/agent-link.ts';
import { useServices } from '../api/services.ts';
import { clock, duration } from '../model/format.ts';
import { Button } from '../parts/buttons/button.tsx';
import { Icon } from '../parts/feedback/icon.tsx';
import { useNow } from '../parts/feedback/time.tsx';

export function OfflineLine({ link }: { readonly link: LinkState }): ReactElement {
  const { link: agent } = useServices();
  const now = useNow();
  const leftMs = (link.nextAttemptAtMs ?? now) - now;
  const shown =
    link.lastAnswerAtMs === null ? 'No data yet.' : `Showing data from ${clock(link.lastAnswerAtMs)}.`;
  return (
    <div className="banner">
      <Icon of={link.refusal === null ? 'offline' : 'warning'} />
      <span>
        <b>{link.refusal === null ? 'Agent not responding.' : `Agent error: ${link.refusal}`}</b> {shown}{' '}
        Edits in your folders are safe and sync later.
      </span>
      <span className="end faint">{leftMs > 0 ? `Next attempt in ${duration(leftMs)}` : 'Connecting…'}</span>
      <Button onClick={() => agent.tryNow()}>Retry now</Button>
    </div>
  );
}
