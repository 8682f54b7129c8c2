// The last step: sends a test webhook and waits until its file is in the workspace.
import { useMutation } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { Link, useLocation } from 'wouter';
import { type MooringClient, NotFoundError } from '../../../sdk/index.ts';
import type { Workspace } from '../../../server/contract/workspaces.ts';
import type { LiveFeed } from '../../api/live-feed.ts';
import { mirrorOf, useDisabledReason, useServices, useStatus } from '../../api/services.ts';
import { sendTestWebhook, testWebhookPath } from '../../api/test-webhook.ts';
import { filesHref } from '../../location/app-location.ts';
import { inFolder } from '../../model/files/path.ts';
import { count } from '../../model/format.ts';
import { Button } from '../../parts/buttons/button.tsx';
import { Identifier } from '../../parts/buttons/copy.tsx';
import { announce } from '../../parts/feedback/answers.ts';
import { FailureText } from '../../parts/feedback/note.tsx';
import { Status } from '../../parts/feedback/status.tsx';
import { skipFirstRun } from './skipped.ts';

/** Polling interval and limit, in case no live event arrives. */
const pollMs = 1_000;
const pollsMax = 30;

export function WebhookStep({ workspace }: { readonly workspace: Workspace }): ReactElement {
  const { workspaceId } = workspace;
  const { client, live } = useServices();
  const disabledReason = useDisabledReason();
  const [, navigate] = useLocation();
  const mirror = mirrorOf(useStatus()?.mirrors ?? [], workspaceId);
  const mutation = useMutation({
    mutationFn: async () => {
      const beganMs = performance.now();
      const text = await sendTestWebhook(client, workspaceId);
      await waitForFile(client, live, workspaceId, text);
      return Math.max(1, Math.round(performance.now() - beganMs));
    },
    onSuccess: () => announce('Test webhook applied.'),
  });
  return (
    <div className="first-run-form">
      <h1>Send a test webhook</h1>
      <p className="soft">
        The webhook is stored durably and then applied as a change of{' '}
        <span className="mono">{testWebhookPath}</span>
        {mirror === undefined ? '.' : ', which the mirror downloads to the folder.'}
      </p>
      {mutation.isPending ? <Status kind="active" word="Waiting for the file" /> : null}
      {mutation.data === undefined ? null : (
        <div className="check-note ok arrived" role="status">
          <span className="grow">
            <Status kind="ok" word={`Applied after ${count(mutation.data)} ms`} />
            <span className="second">
              <Link href={filesHref(workspaceId, testWebhookPath, 'file')}>Open {testWebhookPath}</Link>
            </span>
            {mirror === undefined ? null : (
              <Identifier text={inFolder(mirror.dir, testWebhookPath)} what="its path in the folder" />
            )}
          </span>
        </div>
      )}
      <FailureText error={mutation.error} />
      <div className="row wrap">
        <Button
          kind={mutation.data === undefined ? 'primary' : 'plain'}
          icon="webhook"
          disabledReason={disabledReason ?? (mutation.isPending ? 'Waiting for the file…' : null)}
          onClick={() => mutation.mutate()}
        >
          {mutation.data === undefined ? 'Send a test webhook' : 'Send another'}
        </Button>
        <Button
          kind={mutation.data === undefined ? 'ghost' : 'primary'}
          onClick={() => {
            skipFirstRun();
            navigate('/overview');
          }}
        >
          Open Overview
        </Button>
      </div>
    </div>
  );
}

/** Resolves when the file contains the text: checked after each event of its path, and periodically. */
async function waitForFile(
  client: MooringClient,
  live: LiveFeed,
  workspaceId: string,
  text: string,
): Promise<void> {
  for (let polls = 0; polls < pollsMax; polls += 1) {
    if (await fileContains(client, workspaceId, text)) return;
    await nextEventOrPoll(live, workspaceId);
  }
  throw new Error('The webhook was accepted, but its file did not appear. Check Dead letters for the cause.');
}

async function fileContains(client: MooringClient, workspaceId: string, text: string): Promise<boolean> {
  try {
    return (await client.readFile(workspaceId, testWebhookPath)).content.includes(text);
  } catch (error) {
    if (error instanceof NotFoundError) return false;
    throw error;
  }
}

async function nextEventOrPoll(live: LiveFeed, workspaceId: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, pollMs);
  const unlisten = live.listen({
    onEvents: (events) => {
      if (events.some((each) => each.workspaceId === workspaceId && each.frame.path === testWebhookPath))
        resolve();
    },
    onGap: () => resolve(),
  });
  await promise;
  clearTimeout(timer);
  unlisten();
}
