// Sends an example request and shows the response.
import { useMutation } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useDisabledReason, useServices } from '../../api/services.ts';
import { count, plural } from '../../model/format.ts';
import { Button } from '../../parts/buttons/button.tsx';
import { FailureText } from '../../parts/feedback/note.tsx';
import { Status } from '../../parts/feedback/status.tsx';

/** Limit of the shown response. */
const charactersMax = 2_000;

export function TryIt({ workspaceId }: { readonly workspaceId: string }): ReactElement {
  const { client } = useServices();
  const disabledReason = useDisabledReason();
  const call = useMutation({
    mutationFn: async () => {
      const beganMs = performance.now();
      const tree = await client.listTree(workspaceId, { depth: 1 });
      return { tree, tookMs: Math.max(1, Math.round(performance.now() - beganMs)) };
    },
  });
  const text = call.data === undefined ? '' : JSON.stringify(call.data.tree, null, 2);
  return (
    <section className="snippet" aria-label="Example request">
      <div className="row">
        <h2>Example request</h2>
        <span className="mono faint ellipsis">GET /v1/workspaces/{workspaceId}/fs/tree?depth=1</span>
        <span className="end">
          <Button
            disabledReason={disabledReason ?? (call.isPending ? 'Sending…' : null)}
            onClick={() => call.mutate()}
          >
            Send request
          </Button>
        </span>
      </div>
      {call.isError ? (
        <FailureText error={call.error} />
      ) : call.data === undefined ? (
        <p className="hint">Uses the token of this page and changes nothing.</p>
      ) : (
        <>
          <p className="row" role="status">
            <Status kind="ok" word={`200 in ${count(call.data.tookMs)} ms`} />
            <span className="soft">{plural(call.data.tree.entries.length, 'entry', 'entries')}</span>
          </p>
          <pre className="code">
            {text.slice(0, charactersMax)}
            {text.length > charactersMax ? '…' : ''}
          </pre>
        </>
      )}
    </section>
  );
}
