// The line under the top bar while the agent does not answer: since when, what is safe, when the next try is.
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
  const seen =
    link.lastAnswerAtMs === null
      ? 'It has not answered yet.'
      : `You see the state of ${clock(link.lastAnswerAtMs)}.`;
  return (
    <div className="banner">
      <Icon of={link.refusal === null ? 'offline' : 'warning'} />
      <span>
        <b>{link.refusal === null ? 'The agent does not answer.' : `The agent refuses: ${link.refusal}`}</b>{' '}
        {seen} Edits in your folders are safe and will be picked up.
      </span>
      <span className="end faint">{leftMs > 0 ? `Next try in ${duration(leftMs)}` : 'Trying now'}</span>
      <Button onClick={() => agent.tryNow()}>Try now</Button>
    </div>
  );
}
