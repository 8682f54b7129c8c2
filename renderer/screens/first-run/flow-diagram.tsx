// Folder, workspace and providers, highlighted up to the current step.
import type { ReactElement } from 'react';
import { Icon, type Meaning } from '../../parts/feedback/icon.tsx';

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

export function FlowDiagram({
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
