// The API: address, documentation, example requests.
import { useMutation } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { agentUrl } from '../../api/desktop.ts';
import { useDisabledReason, useServices, useStatus } from '../../api/services.ts';
import { useChosenWorkspace } from '../../location/workspace-choice.ts';
import { type SnippetLanguage, snippetLanguages, snippetsOf } from '../../model/access/snippets.ts';
import { count, plural } from '../../model/format.ts';
import { Button } from '../../parts/buttons/button.tsx';
import { CopyButton, Identifier } from '../../parts/buttons/copy.tsx';
import { Segments } from '../../parts/buttons/segments.tsx';
import { FailureText } from '../../parts/feedback/note.tsx';
import { Status } from '../../parts/feedback/status.tsx';
import { FilterMenu } from '../../parts/fields/choice-menu.tsx';
import { SectionHead } from './section-head.tsx';

export function ApiSection(): ReactElement {
  const status = useStatus();
  const workspaces = status?.workspaces ?? [];
  const { workspace } = useChosenWorkspace(workspaces);
  const [selectedId, setSelectedId] = useState<string | null>(null);
  const [language, setLanguage] = useState<SnippetLanguage>('curl');
  const url = status?.url ?? agentUrl();
  const workspaceId = selectedId ?? workspace?.workspaceId ?? null;
  return (
    <>
      <SectionHead title="API" />
      <ApiFacts url={url} />
      <div className="row wrap">
        <Segments
          label="Language"
          options={snippetLanguages.map((each) => ({ value: each, text: each }))}
          value={language}
          onChange={(next: SnippetLanguage) => setLanguage(next)}
        />
        {workspaces.length === 0 ? null : (
          <span className="end">
            <FilterMenu
              label="Workspace"
              value={workspaceId ?? ''}
              options={workspaces.map((each) => ({ value: each.workspaceId, text: each.name }))}
              onChange={setSelectedId}
            />
          </span>
        )}
      </div>
      {snippetsOf(language, url, workspaceId ?? 'rw_…').map((snippet) => (
        <section key={snippet.title} className="snippet" aria-label={snippet.title}>
          <div className="row">
            <h2>{snippet.title}</h2>
            <span className="end">
              <CopyButton text={snippet.code} what={`“${snippet.title}”`} />
            </span>
          </div>
          <pre className="code">{snippet.code}</pre>
        </section>
      ))}
      {workspaceId === null ? null : <TryIt key={workspaceId} workspaceId={workspaceId} />}
    </>
  );
}

function ApiFacts({ url }: { readonly url: string }): ReactElement {
  return (
    <dl className="facts settings-facts">
      <dt>Address</dt>
      <dd>
        <Identifier text={url} what="the API address" />
      </dd>
      <dt>Reachable from</dt>
      <dd>{isLoopback(url) ? 'this computer only' : 'this and other computers'}</dd>
      <dt>Documentation</dt>
      <dd>
        <a href={`${url}/docs`} target="_blank" rel="noreferrer">
          Open documentation
        </a>
        ,{' '}
        <a href={`${url}/v1/openapi.json`} target="_blank" rel="noreferrer">
          openapi.json
        </a>
      </dd>
      <dt>Token</dt>
      <dd>
        Required by each program; <span className="mono">MOORING_TOKEN</span> in the examples
      </dd>
    </dl>
  );
}

function isLoopback(url: string): boolean {
  return /^(127\.|localhost$|\[::1\]$)/.test(new URL(url).hostname);
}

/** Limit of the shown response. */
const charactersMax = 2_000;

function TryIt({ workspaceId }: { readonly workspaceId: string }): ReactElement {
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
