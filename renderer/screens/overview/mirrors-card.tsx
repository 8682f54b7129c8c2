// The mirrors, worst first, and the workspaces without a folder; 1 to 9 focus their rows. The head says what is proved, and starts a proof.
import { useMutation } from '@tanstack/react-query';
import { type ReactElement, useRef } from 'react';
import type { AgentStatus } from '../../../server/contract/agent.ts';
import type { Mirror } from '../../../server/contract/workspaces.ts';
import { useDisabledReason, useServices, workspaceName } from '../../api/services.ts';
import { useKeys } from '../../keys.ts';
import { count, plural } from '../../model/format.ts';
import { worstFirst } from '../../model/mirror/mirror-view.ts';
import { proofExtent, proofSummary, sumOfProofs } from '../../model/mirror/proof-view.ts';
import { Button } from '../../parts/buttons/button.tsx';
import { announce } from '../../parts/feedback/answers.ts';
import { FailureText } from '../../parts/feedback/note.tsx';
import { Status } from '../../parts/feedback/status.tsx';
import { Time } from '../../parts/feedback/time.tsx';
import { MirrorRow } from './mirror-row.tsx';
import { UnmirroredRow } from './unmirrored-row.tsx';

export function MirrorsCard({
  status: { workspaces, mirrors },
  onMirror,
}: {
  readonly status: AgentStatus;
  readonly onMirror: (workspaceId: string) => void;
}): ReactElement {
  const rows = useRef<HTMLDivElement>(null);
  useKeys(
    Object.fromEntries(
      Array.from({ length: 9 }, (_, index) => [
        String(index + 1),
        () => rows.current?.querySelectorAll<HTMLElement>('article')[index]?.focus(),
      ]),
    ),
  );
  const proof = useProof(mirrors);
  const mirrored = new Set(mirrors.map((mirror) => mirror.workspaceId));
  return (
    <section className="card" aria-labelledby="mirrors">
      <header>
        <h2 id="mirrors">{mirrors.length === 0 ? 'Workspaces' : 'Mirrors'}</h2>
        {mirrors.length === 0 ? null : <ProofHead mirrors={mirrors} proof={proof} />}
      </header>
      <FailureText error={proof.error} />
      <div className="mirror-rows" ref={rows}>
        {worstFirst(mirrors).map((mirror, index) => (
          <MirrorRow
            key={mirror.mirrorId}
            mirror={mirror}
            name={workspaceName(workspaces, mirror.workspaceId)}
            number={index + 1}
          />
        ))}
        {workspaces
          .filter(({ workspaceId }) => !mirrored.has(workspaceId))
          .map((workspace) => (
            <UnmirroredRow
              key={workspace.workspaceId}
              workspace={workspace}
              onMirror={() => onMirror(workspace.workspaceId)}
            />
          ))}
      </div>
      {mirrors.length === 0 ? null : <p className="mirrors-foot">{proofText(mirrors)}</p>}
    </section>
  );
}

interface Proof {
  readonly isRunning: boolean;
  readonly error: Error | null;
  readonly run: () => void;
}

function useProof(mirrors: readonly Mirror[]): Proof {
  const { client, link } = useServices();
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
  return { isRunning: proving.isPending, error: proving.error, run: () => proving.mutate() };
}

function ProofHead({
  mirrors,
  proof,
}: {
  readonly mirrors: readonly Mirror[];
  readonly proof: Proof;
}): ReactElement | null {
  const disabledReason = useDisabledReason();
  const summary = proofSummary(mirrors);
  if (summary === null) return null;
  return (
    <span className="end row card-note">
      {summary.view.kind === 'halted' ? (
        <Status {...summary.view} />
      ) : (
        <span className="faint">
          {summary.view.word}
          {summary.provedAt === null ? null : (
            <>
              {' at '}
              <Time at={summary.provedAt} as="clock" />
            </>
          )}
        </span>
      )}
      <Button
        kind="ghost"
        label="Read every file from disk and compare it with the workspace"
        disabledReason={proof.isRunning ? 'Proving…' : disabledReason}
        onClick={proof.run}
      >
        Prove now
      </Button>
    </span>
  );
}

/** What a proof is, and what the last ones compared. */
function proofText(mirrors: readonly Mirror[]): string {
  if (mirrors.some(({ proof }) => proof.alarm !== null))
    return 'Folder and workspace differ for an unknown reason. Both versions are kept; see the mirror.';
  const extent = proofExtent({ last: sumOfProofs(mirrors) });
  const what =
    'A proof compares all paths and contents of the folder and the workspace. It finds changes that the watcher missed.';
  return extent === null ? what : `${what} Last: ${extent}.`;
}
