// The last proof of each mirror that folder and workspace are equal, and a button that starts one.
import { useMutation } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import type { AgentStatus } from '../../../server/contract/agent.ts';
import type { Mirror } from '../../../server/contract/workspaces.ts';
import { useDisabledReason, useServices, workspaceName } from '../../api/services.ts';
import { count, plural } from '../../model/format.ts';
import { proofExtent, proofStatus, proofSummary, proofTime } from '../../model/mirror/proof-view.ts';
import { Button } from '../../parts/buttons/button.tsx';
import { announce } from '../../parts/feedback/answers.ts';
import { Icon } from '../../parts/feedback/icon.tsx';
import { FailureText } from '../../parts/feedback/note.tsx';
import { Status } from '../../parts/feedback/status.tsx';
import { Time } from '../../parts/feedback/time.tsx';

export function ProofCard({ status }: { readonly status: AgentStatus }): ReactElement | null {
  const disabledReason = useDisabledReason();
  const { client, link } = useServices();
  const { mirrors } = status;
  const proving = useMutation({
    mutationFn: async () =>
      await Promise.all(
        mirrors.map(async ({ workspaceId, mirrorId }) => await client.mirrors.prove(workspaceId, mirrorId)),
      ),
    onSuccess: (results) => {
      const equal = results.filter(({ outcome }) => outcome === 'equal').length;
      announce(
        equal === results.length
          ? 'Proved equal.'
          : `${count(equal)} of ${plural(results.length, 'mirror')} proved equal.`,
      );
    },
    onSettled: () => link.tryNow(),
  });
  const summary = proofSummary(mirrors);
  if (summary === null) return null;
  return (
    <section className="card" aria-labelledby="proof">
      <header>
        <h2 id="proof">
          <Icon of="proof" />
          {summary.provedAt === null ? (
            summary.view.word
          ) : (
            <span>
              {summary.view.word} at <Time at={summary.provedAt} as="clock" />
            </span>
          )}
        </h2>
        <span className="end">
          <Button
            kind="ghost"
            label="Read every file from disk and compare it with the workspace"
            disabledReason={proving.isPending ? 'Proving…' : disabledReason}
            onClick={() => proving.mutate()}
          >
            Prove now
          </Button>
        </span>
      </header>
      <div className="card-body">
        <p className="hint">
          {summary.view.kind === 'halted'
            ? 'Folder and workspace differ for an unknown reason. Both versions are kept; see the mirror.'
            : 'A proof compares all paths and contents of the folder and the workspace. It finds changes that the watcher missed.'}
        </p>
        <ul className="proofs">
          {mirrors.map((mirror) => (
            <ProofRow
              key={mirror.mirrorId}
              mirror={mirror}
              name={workspaceName(status.workspaces, mirror.workspaceId)}
            />
          ))}
        </ul>
        <FailureText error={proving.error} />
      </div>
    </section>
  );
}

function ProofRow({ mirror, name }: { readonly mirror: Mirror; readonly name: string }): ReactElement {
  const time = proofTime(mirror.proof);
  const extent = proofExtent(mirror.proof);
  return (
    <li title={`${mirror.dir}${extent === null ? '' : `: ${extent}`}`}>
      <span className="proof-name">{name}</span>
      <Status {...proofStatus(mirror.proof)} />
      <span className="faint">
        {time === null ? null : (
          <>
            {time.kind === 'since' ? 'since ' : ''}
            {time.kind === 'before-restart' ? 'equal before the restart, ' : ''}
            <Time at={time.at} as={time.kind === 'before-restart' ? 'ago' : 'clock'} />
          </>
        )}
      </span>
      {extent === null ? null : <span className="proof-extent faint">{extent}</span>}
    </li>
  );
}
