// Folder, workspace, providers: lit up as far as the first run has come.
import type { ReactElement } from 'react';
import { Icon, type Meaning } from '../../parts/feedback/icon.tsx';

const boxes: readonly {
  readonly name: string;
  readonly about: string;
  readonly icon: Meaning;
  /** The step that lights it. */
  readonly from: number;
}[] = [
  { name: 'Folder', about: 'You edit here', icon: 'folder', from: 0 },
  { name: 'Workspace', about: 'Agents and scripts edit here, through the API', icon: 'workspace', from: 1 },
  { name: 'Providers', about: 'Webhooks come in, changes go out', icon: 'provider', from: 3 },
];

export function FlowDiagram({
  reached,
  hasFolder,
}: {
  readonly reached: number;
  /** false: a sample, which is in the workspace alone. */
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
