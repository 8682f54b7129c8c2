// From nothing to a proved round trip: folder, workspace, token, test webhook. It can be left at any step and taken up again:
// the step stands in the address (`#first-run?step=token&workspace=rw_…`).
import type { ReactElement } from 'react';
import { Link } from 'wouter';
import { mirrorOf, useStatus } from '../api/services.ts';
import { useScreenLocation } from '../location/screen-location.ts';
import { useChosenWorkspace } from '../location/workspace-choice.ts';
import { Icon } from '../parts/feedback/icon.tsx';
import { FlowDiagram } from './first-run/flow-diagram.tsx';
import { FolderStep } from './first-run/folder-step.tsx';
import { skipFirstRun } from './first-run/skipped.ts';
import { type FirstRunStep, steps } from './first-run/steps.ts';
import { TokenStep } from './first-run/token-step.tsx';
import { WebhookStep } from './first-run/webhook-step.tsx';
import { WorkspaceStep } from './first-run/workspace-step.tsx';

export function FirstRunScreen(): ReactElement {
  const place = useScreenLocation('first-run');
  const status = useStatus();
  const { workspace } = useChosenWorkspace(status?.workspaces ?? []);
  const wanted = steps.findIndex((step) => step.id === place.field('step'));
  // The last two need a workspace, the second a folder.
  const possible = workspace === null ? (place.field('dir') === '' ? 0 : 1) : steps.length - 1;
  const at = Math.min(Math.max(wanted, 0), possible);
  const step = steps[at]?.id ?? 'folder';
  const hasFolder = at < 2 || mirrorOf(status?.mirrors ?? [], workspace?.workspaceId ?? '') !== undefined;
  const go = (next: FirstRunStep, fields: Readonly<Record<string, string>> = {}): void =>
    place.go({ fields: { step: next, ...fields } });
  return (
    <div className="first-run">
      <div className="first-run-side">
        <ol aria-label="Steps">
          {steps.map((each, index) => (
            <li
              key={each.id}
              className={index < at ? 'done' : ''}
              aria-current={index === at ? 'step' : undefined}
            >
              <span className="step-mark">{index < at ? <Icon of="copied" small /> : index + 1}</span>
              <span>
                <b>{each.name}</b>
                <span className="second faint">{each.about}</span>
              </span>
            </li>
          ))}
        </ol>
        <p className="hint">Everything stays on this computer until you add a provider.</p>
        <Link href="/overview" onClick={skipFirstRun}>
          Skip, I know the way
        </Link>
      </div>
      <div className="first-run-page" key={step}>
        {step === 'folder' ? <FolderStep dir={place.field('dir')} onGo={go} /> : null}
        {step === 'workspace' ? <WorkspaceStep dir={place.field('dir')} onGo={go} /> : null}
        {step === 'token' && workspace !== null ? <TokenStep workspace={workspace} onGo={go} /> : null}
        {step === 'webhook' && workspace !== null ? <WebhookStep workspace={workspace} /> : null}
        <FlowDiagram reached={at} hasFolder={hasFolder} />
      </div>
    </div>
  );
}
