// Diagnostics: checks of the agent, a scan of all folders, the diagnostics bundle. Checks run on request: one reads the whole store.
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import type { Diagnostics } from '../../../server/contract/agent.ts';
import { describeError, useDisabledReason, useServices, useStatus } from '../../api/services.ts';
import { plural } from '../../model/format.ts';
import { checkView } from '../../model/mirror/check-view.ts';
import type { StatusView } from '../../model/mirror/mirror-view.ts';
import { Button } from '../../parts/buttons/button.tsx';
import { copyText, Identifier } from '../../parts/buttons/copy.tsx';
import { announce } from '../../parts/feedback/answers.ts';
import { LoadError } from '../../parts/feedback/load-error.tsx';
import { Note } from '../../parts/feedback/note.tsx';
import { PathText } from '../../parts/feedback/path-text.tsx';
import { Status } from '../../parts/feedback/status.tsx';
import { Time } from '../../parts/feedback/time.tsx';
import { SkeletonRows } from '../../parts/tables/skeleton-rows.tsx';
import { TableCard } from '../../parts/tables/table-card.tsx';
import { BundleDialog } from './bundle-dialog.tsx';
import { SectionHead } from './section-head.tsx';

type Check = Diagnostics['checks'][number];

const views: Record<Check['state'], StatusView> = {
  ok: { kind: 'ok', word: 'OK' },
  warning: { kind: 'warn', word: 'Warning' },
  failed: { kind: 'failed', word: 'Problem' },
};

export function DiagnosticsSection(): ReactElement {
  const { client } = useServices();
  const disabledReason = useDisabledReason();
  const [bundleOpen, setBundleOpen] = useState(false);
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: ['diagnostics'],
    queryFn: async ({ signal }) => await client.agent.diagnostics({ signal }),
  });
  return (
    <>
      <SectionHead title="Diagnostics" about={data === undefined ? undefined : summary(data.checks)}>
        <Button
          icon="copy"
          disabledReason={data === undefined ? 'No checks have run yet.' : null}
          onClick={() => data !== undefined && void copyText(asText(data.checks), 'the summary')}
        >
          Copy summary
        </Button>
        <Button
          kind="primary"
          icon="download"
          disabledReason={disabledReason}
          onClick={() => setBundleOpen(true)}
        >
          Create bundle…
        </Button>
      </SectionHead>
      <AgentFacts />
      {data === undefined ? (
        error === null ? (
          <SkeletonRows />
        ) : (
          <LoadError what="the checks" error={error} onAgain={() => void refetch()} />
        )
      ) : (
        <Checks checks={data.checks} />
      )}
      <div className="row wrap">
        <Button
          icon="moving"
          disabledReason={isFetching ? 'Checking…' : disabledReason}
          onClick={() => void refetch()}
        >
          Check again
        </Button>
        <ScanButton />
      </div>
      <Note>
        The bundle contains checks, settings, counts, metrics and the log with all names masked. It does not
        contain tokens, secrets, file contents, or names of files, folders and hosts. You can review it before
        saving.
      </Note>
      {bundleOpen ? <BundleDialog onClose={() => setBundleOpen(false)} /> : null}
    </>
  );
}

function AgentFacts(): ReactElement | null {
  const status = useStatus();
  if (status === null) return null;
  return (
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

/** Scans all folders, regardless of watcher events. */
function ScanButton(): ReactElement {
  const { client, link } = useServices();
  const disabledReason = useDisabledReason();
  const mutation = useMutation({
    mutationFn: async () => await client.mirrors.waitUntilSynced(),
    onSuccess: ({ settled, mirrors }) =>
      announce(
        settled
          ? `${plural(mirrors.length, 'folder')} scanned: up to date.`
          : 'Scan finished; some files are not synced.',
      ),
    onSettled: () => link.tryNow(),
  });
  const result = mutation.data;
  return (
    <>
      <Button
        icon="search"
        disabledReason={mutation.isPending ? 'Scanning…' : disabledReason}
        onClick={() => mutation.mutate()}
      >
        Scan all folders
      </Button>
      {mutation.isError ? (
        <span className="hint bad" role="alert">
          {describeError(mutation.error)}
        </span>
      ) : result === undefined ? null : (
        <Status
          {...(result.settled
            ? { kind: 'ok', word: `${plural(result.mirrors.length, 'folder')} up to date` }
            : { kind: 'warn', word: 'Some files are not synced: see Overview' })}
        />
      )}
    </>
  );
}

function summary(checks: readonly Check[]): string {
  const having = (state: Check['state']) => checks.filter((check) => check.state === state).length;
  const [failed, warnings] = [having('failed'), having('warning')];
  if (failed + warnings === 0) return `${plural(checks.length, 'check')} passed`;
  return [
    ...(failed === 0 ? [] : [`${failed} of ${plural(checks.length, 'check')} failed`]),
    ...(warnings === 0 ? [] : [plural(warnings, 'warning')]),
  ].join(', ');
}

function asText(checks: readonly Check[]): string {
  return checks
    .map(
      ({ name, state, detail, next }) =>
        `${name}: ${state}. ${detail}${next === undefined ? '' : ` ${next}`}`,
    )
    .join('\n');
}
