// The empty state of Dead letters, with a test webhook.
import { type ReactElement, useState } from 'react';
import { Link } from 'wouter';
import { describeError, useDisabledReason, useServices } from '../../api/services.ts';
import { sendTestWebhook, testWebhookPath } from '../../api/test-webhook.ts';
import { filesHref } from '../../location/app-location.ts';
import { plural } from '../../model/format.ts';
import { Button } from '../../parts/buttons/button.tsx';
import { announce } from '../../parts/feedback/answers.ts';
import { EmptyList } from '../../parts/feedback/empty-list.tsx';
import { FailureText } from '../../parts/feedback/note.tsx';

export function EmptyDeadLetters({
  workspaceId,
  accepted,
  isFiltered,
  onClear,
  onChanged,
}: {
  readonly workspaceId: string;
  /** Number of accepted inbound events. */
  readonly accepted: number | undefined;
  readonly isFiltered: boolean;
  readonly onClear: () => void;
  readonly onChanged: () => void;
}): ReactElement {
  if (isFiltered) {
    return (
      <EmptyList icon="filter" title="No matching dead letters">
        <p>Clear the filters to see all dead letters.</p>
        <div className="row">
          <Button onClick={onClear}>Clear filters</Button>
        </div>
      </EmptyList>
    );
  }
  return (
    <EmptyList icon="deadLetter" title="No dead letters">
      <p>
        Inbound events that cannot be applied appear here. Edit, replay or dismiss them.
        {accepted === undefined ? '' : ` Accepted so far: ${plural(accepted, 'inbound event')}.`}
      </p>
      <p>
        A test webhook writes <span className="mono">{testWebhookPath}</span> to this workspace, like the
        webhook of a provider.
      </p>
      <TestWebhook workspaceId={workspaceId} onSent={onChanged} />
    </EmptyList>
  );
}

function TestWebhook({
  workspaceId,
  onSent,
}: {
  readonly workspaceId: string;
  readonly onSent: () => void;
}): ReactElement {
  const { client } = useServices();
  const disabledReason = useDisabledReason();
  const [state, setState] = useState<'none' | 'sending' | 'sent' | { readonly failed: string }>('none');
  const send = async (): Promise<void> => {
    setState('sending');
    try {
      await sendTestWebhook(client, workspaceId);
      setState('sent');
      announce('Test webhook accepted.');
      onSent();
    } catch (error) {
      setState({ failed: describeError(error) });
    }
  };
  return (
    <>
      <div className="row wrap">
        <Button
          icon="webhook"
          disabledReason={state === 'sending' ? 'Sending…' : disabledReason}
          onClick={() => void send()}
        >
          Send test webhook
        </Button>
        {state === 'sent' ? (
          <span className="soft" role="status">
            Accepted. <Link href={filesHref(workspaceId, testWebhookPath, 'file')}>Open file</Link>
          </span>
        ) : null}
      </div>
      {typeof state === 'object' ? <FailureText error={state.failed} /> : null}
    </>
  );
}
