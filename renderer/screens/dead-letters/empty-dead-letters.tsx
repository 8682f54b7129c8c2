// No letter: why that is, how many webhooks came in, and a way to see one arrive.
import { type ReactElement, useState } from 'react';
import { Link } from 'wouter';
import { describeError, useDisabledReason, useServices } from '../../api/services.ts';
import { sendTestWebhook, testWebhookPath } from '../../api/test-webhook.ts';
import { filesHref } from '../../location/app-location.ts';
import { plural } from '../../model/format.ts';
import { Button } from '../../parts/buttons/button.tsx';
import { announce } from '../../parts/feedback/announcer.tsx';
import { Icon } from '../../parts/feedback/icon.tsx';

export function EmptyDeadLetters({
  workspaceId,
  accepted,
  filtered,
  onClear,
  onChanged,
}: {
  readonly workspaceId: string;
  readonly accepted: number | undefined;
  readonly filtered: boolean;
  readonly onClear: () => void;
  readonly onChanged: () => void;
}): ReactElement {
  const { client } = useServices();
  const disabledReason = useDisabledReason();
  const [state, setState] = useState<'none' | 'sending' | 'sent' | { readonly failed: string }>('none');
  if (filtered) {
    return (
      <div className="empty">
        <h2>No dead letter matches</h2>
        <p>The filters above leave nothing to show.</p>
        <div className="row">
          <Button onClick={onClear}>Clear the filters</Button>
        </div>
      </div>
    );
  }
  const send = async (): Promise<void> => {
    setState('sending');
    try {
      await sendTestWebhook(client, workspaceId);
      setState('sent');
      announce('The test webhook was taken in.');
      onChanged();
    } catch (error) {
      setState({ failed: describeError(error) });
    }
  };
  return (
    <div className="empty">
      <h2>
        <Icon of="fine" />
        No dead letters
      </h2>
      <p>
        A webhook that cannot become a file change waits here with its cause until it is mended, replayed or
        acknowledged.
        {accepted === undefined ? '' : ` ${plural(accepted, 'webhook')} taken in so far.`}
      </p>
      <p>
        A test webhook writes <span className="mono">{testWebhookPath}</span> into this workspace, as a
        provider would.
      </p>
      <div className="row wrap">
        <Button
          icon="webhook"
          disabledReason={state === 'sending' ? 'It is being sent.' : disabledReason}
          onClick={() => void send()}
        >
          Send a test webhook
        </Button>
        {state === 'sent' ? (
          <span className="soft" role="status">
            Taken in. <Link href={filesHref(workspaceId, testWebhookPath, 'file')}>Open the file</Link>
          </span>
        ) : null}
      </div>
      {typeof state === 'object' ? (
        <p className="hint bad" role="alert">
          {state.failed}
        </p>
      ) : null}
    </div>
  );
}
