// The last proof: a webhook goes in, and its file is seen to arrive in the workspace.
import { useMutation } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { Link, useLocation } from 'wouter';
import { type MooringClient, NotFoundError } from '../../../sdk/index.ts';
import type { Workspace } from '../../../server/contract/workspaces.ts';
import type { LiveFeed } from '../../api/live-feed.ts';
import { describeError, mirrorOf, useDisabledReason, useServices, useStatus } from '../../api/services.ts';
import { sendTestWebhook, testWebhookPath } from '../../api/test-webhook.ts';
import { filesHref } from '../../location/app-location.ts';
import { inFolder } from '../../model/files/path.ts';
import { count } from '../../model/format.ts';
import { Button } from '../../parts/buttons/button.tsx';
import { Identifier } from '../../parts/buttons/copy.tsx';
import { announce } from '../../parts/feedback/announcer.tsx';
import { Status } from '../../parts/feedback/status.tsx';
import { skipFirstRun } from './skipped.ts';

/** Without a live event it is looked for this often, this many times. */
const lookMs = 1_000;
const looksMax = 30;

export function WebhookStep({ workspace }: { readonly workspace: Workspace }): ReactElement {
  const { workspaceId } = workspace;
  const { client, live } = useServices();
  const disabledReason = useDisabledReason();
  const [, navigate] = useLocation();
  const mirror = mirrorOf(useStatus()?.mirrors ?? [], workspaceId);
  const mutation = useMutation({
    mutationFn: async () => {
      const beganMs = performance.now();
      const words = await sendTestWebhook(client, workspaceId);
      await arrival(client, live, workspaceId, words);
      return Math.max(1, Math.round(performance.now() - beganMs));
    },
    onSuccess: () => announce('The test webhook arrived.'),
  });
  return (
    <div className="first-run-form">
      <h1>Send a test webhook</h1>
      <p className="soft">
        As a provider would: the webhook is taken in durably and becomes a change of{' '}
        <span className="mono">{testWebhookPath}</span>
        {mirror === undefined ? '.' : ', which the mirror carries into the folder.'}
      </p>
      {mutation.isPending ? <Status kind="active" word="On its way" /> : null}
      {mutation.data === undefined ? null : (
        <div className="check-note ok arrived" role="status">
          <span className="grow">
            <Status kind="ok" word={`It arrived after ${count(mutation.data)} ms.`} />
            <span className="second">
              <Link href={filesHref(workspaceId, testWebhookPath, 'file')}>Open {testWebhookPath}</Link>
            </span>
            {mirror === undefined ? null : (
              <Identifier text={inFolder(mirror.dir, testWebhookPath)} what="its path in the folder" />
            )}
          </span>
        </div>
      )}
      {mutation.isError ? (
        <p className="hint bad" role="alert">
          {describeError(mutation.error)}
        </p>
      ) : null}
      <div className="row wrap">
        <Button
          kind={mutation.data === undefined ? 'primary' : 'plain'}
          icon="webhook"
          disabledReason={disabledReason ?? (mutation.isPending ? 'It is on its way.' : null)}
          onClick={() => mutation.mutate()}
        >
          {mutation.data === undefined ? 'Send a test webhook' : 'Send another one'}
        </Button>
        <Button
          kind={mutation.data === undefined ? 'ghost' : 'primary'}
          onClick={() => {
            skipFirstRun();
            navigate('/overview');
          }}
        >
          Go to the overview
        </Button>
      </div>
    </div>
  );
}

/** Resolves when the file holds the words: looked for at each event of its path, and now and then. */
async function arrival(
  client: MooringClient,
  live: LiveFeed,
  workspaceId: string,
  words: string,
): Promise<void> {
  for (let look = 0; look < looksMax; look += 1) {
    if (await holds(client, workspaceId, words)) return;
    await nextSign(live, workspaceId);
  }
  throw new Error('The webhook was taken in, but its file did not appear. Dead letters may say why.');
}

async function holds(client: MooringClient, workspaceId: string, words: string): Promise<boolean> {
  try {
    return (await client.readFile(workspaceId, testWebhookPath)).content.includes(words);
  } catch (error) {
    if (error instanceof NotFoundError) return false;
    throw error;
  }
}

async function nextSign(live: LiveFeed, workspaceId: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, lookMs);
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
