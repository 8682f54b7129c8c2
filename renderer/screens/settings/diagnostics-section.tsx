// Is the agent well, and what can be handed to somebody who helps? Checks run when they are asked for: one reads the whole store.
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import type { Diagnostics } from '../../../server/contract/agent.ts';
import { agentUrl } from '../../api/desktop.ts';
import { describeError, useDisabledReason, useServices, useStatus } from '../../api/services.ts';
import { plural } from '../../model/format.ts';
import { checkView } from '../../model/mirror/check-view.ts';
import type { StatusView } from '../../model/mirror/mirror-view.ts';
import { Button } from '../../parts/buttons/button.tsx';
import { copyText, Identifier } from '../../parts/buttons/copy.tsx';
import { announce } from '../../parts/feedback/announcer.tsx';
import { LoadError } from '../../parts/feedback/failed-reading.tsx';
import { Icon } from '../../parts/feedback/icon.tsx';
import { PathText } from '../../parts/feedback/path-text.tsx';
import { Status } from '../../parts/feedback/status.tsx';
import { Time } from '../../parts/feedback/time.tsx';
import { SkeletonRows } from '../../parts/tables/skeleton-rows.tsx';
import { TableCard } from '../../parts/tables/table-card.tsx';
import { BundleDialog } from './bundle-dialog.tsx';
import { SectionHead } from './section-head.tsx';

type Check = Diagnostics['checks'][number];

const views: Record<Check['state'], StatusView> = {
  ok: { kind: 'ok', word: 'Well' },
  warning: { kind: 'warn', word: 'Look at it' },
  failed: { kind: 'failed', word: 'Not well' },
};

export function DiagnosticsSection(): ReactElement {
  const { client } = useServices();
  const status = useStatus();
  const disabledReason = useDisabledReason();
  const [bundling, setBundling] = useState(false);
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: ['diagnostics'],
    queryFn: async ({ signal }) => await client.diagnostics({ signal }),
    staleTime: 0,
  });
  return (
    <>
      <SectionHead title="Diagnostics" about={data === undefined ? undefined : summary(data.checks)}>
        <Button
          icon="copy"
          disabledReason={data === undefined ? 'Nothing was checked yet.' : null}
          onClick={() => data !== undefined && void copyText(asText(data.checks), 'the summary')}
        >
          Copy summary
        </Button>
        <Button
          kind="primary"
          icon="download"
          disabledReason={disabledReason}
          onClick={() => setBundling(true)}
        >
          Make a bundle…
        </Button>
      </SectionHead>
      {status === null ? null : (
        <dl className="facts settings-facts">
          <dt>Version</dt>
          <dd>
            {status.version}, started <Time at={status.startedAt} as="ago" />, process {status.pid}
          </dd>
          <dt>Data directory</dt>
          <dd>
            <Identifier text={status.dataDir} what="the data directory" />
          </dd>
        </dl>
      )}
      {data === undefined ? (
        error === null ? (
          <SkeletonRows />
        ) : (
          <LoadError
            what="the checks"
            error={error}
            path={agentUrl()}
            retry="By itself, when the agent answers again."
            onAgain={() => void refetch()}
          />
        )
      ) : (
        <Checks checks={data.checks} />
      )}
      <div className="row wrap">
        <Button
          icon="moving"
          disabledReason={isFetching ? 'It is being checked.' : disabledReason}
          onClick={() => void refetch()}
        >
          Check again
        </Button>
        <ScanButton />
      </div>
      <p className="check-note">
        <Icon of="info" small />
        <span>
          The bundle holds checks, settings, figures and metrics. Tokens, secrets, contents, and the names of
          files, folders and hosts are left out; you see all of it before it is saved.
        </span>
      </p>
      {bundling ? <BundleDialog onClose={() => setBundling(false)} /> : null}
    </>
  );
}

function Checks({ checks }: { readonly checks: readonly Check[] }): ReactElement {
  return (
    <TableCard columns={['Check', 'Result', 'Detail']} className="checks">
      {checks.map((check) => (
        <CheckRow key={check.name} check={check} />
      ))}
    </TableCard>
  );
}

function CheckRow({ check }: { readonly check: Check }): ReactElement {
  const { title, path, detail } = checkView(check);
  return (
    <tr>
      <th scope="row">
        {title}
        {path === null ? null : (
          <span className="second faint">
            <PathText path={path} />
          </span>
        )}
      </th>
      <td>
        <Status {...views[check.state]} />
      </td>
      <td className="wrap-anywhere">
        {detail}
        {check.next === undefined ? null : <span className="second">Next: {check.next}</span>}
      </td>
    </tr>
  );
}

/** Every folder is looked through at once, whatever the watcher said. */
function ScanButton(): ReactElement {
  const { client, link } = useServices();
  const disabledReason = useDisabledReason();
  const mutation = useMutation({
    mutationFn: async () => await client.settle(),
    onSuccess: ({ settled, mirrors }) =>
      announce(
        settled
          ? `${plural(mirrors.length, 'folder')} scanned: in step.`
          : 'Scanned, but not all is in step.',
      ),
    onSettled: () => link.tryNow(),
  });
  const result = mutation.data;
  return (
    <>
      <Button
        icon="search"
        disabledReason={mutation.isPending ? 'The folders are being looked through.' : disabledReason}
        onClick={() => mutation.mutate()}
      >
        Scan all folders now
      </Button>
      {mutation.isError ? (
        <span className="hint bad" role="alert">
          {describeError(mutation.error)}
        </span>
      ) : result === undefined ? null : (
        <Status
          {...(result.settled
            ? { kind: 'ok', word: `${plural(result.mirrors.length, 'folder')} in step` }
            : { kind: 'warn', word: 'Not all in step: see Overview' })}
        />
      )}
    </>
  );
}

function summary(checks: readonly Check[]): string {
  const bad = checks.filter((check) => check.state !== 'ok').length;
  return bad === 0 ? `${plural(checks.length, 'check')}, all well` : `${bad} of ${checks.length} need a look`;
}

function asText(checks: readonly Check[]): string {
  return checks
    .map(
      ({ name, state, detail, next }) =>
        `${name}: ${state}. ${detail}${next === undefined ? '' : ` ${next}`}`,
    )
    .join('\n');
}
