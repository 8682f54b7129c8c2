// First run: folder, workspace, token, test webhook. The address contains the step (`#first-run?step=token&workspace=rw_…`), so
// that the setup can be continued after leaving it.
import type { ReactElement } from 'react';
import { Link } from 'wouter';
import { mirrorOf, useStatus } from '../api/services.ts';
import { useScreenLocation } from '../location/screen-location.ts';
import { useChosenWorkspace } from '../location/workspace-choice.ts';
import { Icon, type Meaning } from '../parts/feedback/icon.tsx';
import { FolderStep } from './first-run/folder-step.tsx';
import { skipFirstRun } from './first-run/skipped.ts';
import { type FirstRunStep, steps } from './first-run/steps.ts';
import { TokenStep } from './first-run/token-step.tsx';
import { WebhookStep } from './first-run/webhook-step.tsx';
import { WorkspaceStep } from './first-run/workspace-step.tsx';

export function FirstRunScreen(): ReactElement {
  const location = useScreenLocation('first-run');
  const status = useStatus();
  const { workspace } = useChosenWorkspace(status?.workspaces ?? []);
  const requested = steps.findIndex((step) => step.id === location.field('step'));
  // The last two steps need a workspace, the second a folder.
  const last = workspace === null ? (location.field('dir') === '' ? 0 : 1) : steps.length - 1;
  const current = Math.min(Math.max(requested, 0), last);
  const step = steps[current]?.id ?? 'folder';
  const hasFolder =
    current < 2 || mirrorOf(status?.mirrors ?? [], workspace?.workspaceId ?? '') !== undefined;
  const go = (next: FirstRunStep, fields: Readonly<Record<string, string>> = {}): void =>
    location.go({ fields: { step: next, ...fields } });
  return (
    <div className="first-run">
      <div className="first-run-side">
        <ol aria-label="Steps">
          {steps.map((each, index) => (
            <li
              key={each.id}
              className={index < current ? 'done' : ''}
              aria-current={index === current ? 'step' : undefined}
            >
              <span className="step-mark">{index < current ? <Icon of="copied" small /> : index + 1}</span>
              <span>
                <b>{each.name}</b>
                <span className="second faint">{each.about}</span>
              </span>
            </li>
          ))}
        </ol>
        <p className="hint">All data stays on this computer until you add a provider.</p>
        <Link href="/overview" onClick={skipFirstRun}>
          Skip setup
        </Link>
      </div>
      <div className="first-run-page" key={step}>
        {step === 'folder' ? <FolderStep dir={location.field('dir')} onGo={go} /> : null}
        {step === 'workspace' ? <WorkspaceStep dir={location.field('dir')} onGo={go} /> : null}
        {step === 'token' && workspace !== null ? <TokenStep workspace={workspace} onGo={go} /> : null}
        {step === 'webhook' && workspace !== null ? <WebhookStep workspace={workspace} /> : null}
        <FlowDiagram reached={current} hasFolder={hasFolder} />
      </div>
    </div>
  );
}

const boxes: readonly {
  readonly name: string;
  readonly about: string;
  readonly icon: Meaning;
  /** Highlighted from this step. */
  readonly from: number;
}[] = [
  { name: 'Folder', about: 'You edit files here', icon: 'folder', from: 0 },
  { name: 'Workspace', about: 'Agents and scripts edit files through the API', icon: 'workspace', from: 1 },
  { name: 'Providers', about: 'Webhooks in, changes out', icon: 'provider', from: 3 },
];

function FlowDiagram({
  reached,
  hasFolder,
}: {
  readonly reached: number;
  /** false: a sample, which exists only in the workspace. */
  readonly hasFolder: boolean;
}): ReactElement {
  return (
    <div className="flow-diagram" aria-hidden="true">
      {boxes.map((box) => (
        <div
          key={box.name}
          className={
            reached >= box.from && (hasFolder || box.icon !== 'folder') ? 'flow-box lit' : 'flow-box'
          }
        >
          <b className="flow-name">
            <Icon of={box.icon} />
            {box.name}
          </b>
          <span className="second">{box.about}</span>
        </div>
      ))}
    </div>
  );
}
