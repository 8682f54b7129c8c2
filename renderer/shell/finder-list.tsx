// The choices of the finder in their groups. The field keeps the focus and names the current one.
import type { ReactElement } from 'react';
import { Icon } from '../parts/feedback/icon.tsx';
import { MarkedText } from '../parts/feedback/marked-text.tsx';
import { PathText } from '../parts/feedback/path-text.tsx';
import type { Choice } from './choice.ts';

export function FinderList({
  id,
  choices,
  current,
  onPoint,
  onRun,
}: {
  readonly id: string;
  readonly choices: readonly Choice[];
  readonly current: number;
  readonly onPoint: (index: number) => void;
  readonly onRun: (choice: Choice) => void;
}): ReactElement {
  const groups = [...new Set(choices.map(({ group }) => group))];
  return (
    <div id={id} role="listbox" aria-label="Results" className="finder-list">
      {groups.map((group) => (
        // biome-ignore lint/a11y/useSemanticElements: a group of options, not a form's fieldset
        <div key={group} role="group" aria-label={group}>
          <div className="finder-group" aria-hidden="true">
            {group === 'Search' ? null : group}
          </div>
          {choices.map((choice, index) =>
            choice.group === group ? (
              // biome-ignore lint/a11y/useKeyWithClickEvents: keys go to the field, which points at the current choice
              // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus
              <div
                key={choice.id}
                id={`${id}-${index}`}
                ref={index === current ? intoView : undefined}
                role="option"
                aria-selected={index === current}
                onMouseMove={() => onPoint(index)}
                onClick={() => onRun(choice)}
              >
                <ChoiceText choice={choice} />
              </div>
            ) : null,
          )}
        </div>
      ))}
    </div>
  );
}

function ChoiceText({ choice }: { readonly choice: Choice }): ReactElement {
  const { icon, text, path, ranges = [], found, side } = choice;
  return (
    <>
      <Icon of={icon} />
      {found !== undefined ? (
        <span className="ellipsis finder-found">
          <span className="faint">{text}</span> <MarkedText text={found.text} ranges={found.ranges} />
        </span>
      ) : path === undefined ? (
        <span className="ellipsis">{text}</span>
      ) : (
        <PathText path={path} ranges={ranges} />
      )}
      {side === undefined ? null : <span className="end">{side}</span>}
    </>
  );
}

function intoView(option: HTMLElement | null): void {
  option?.scrollIntoView({ block: 'nearest' });
}
