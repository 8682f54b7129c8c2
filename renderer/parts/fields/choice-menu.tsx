// A button with a value, and a menu of the possible values: as a filter of a list (`Changed: last week`), and as a field of a form.
import { Menu } from '@base-ui/react/menu';
import type { HTMLAttributes, ReactElement, ReactNode, RefObject } from 'react';
import { Icon } from '../feedback/icon.tsx';
import { Field } from './field.tsx';

interface ChoiceProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly options: readonly { readonly value: T; readonly text: string }[];
  readonly onChange: (value: T) => void;
}

export function FilterMenu<T extends string>({
  trigger,
  ...choice
}: ChoiceProps<T> & {
  /** Gets the button. */
  readonly trigger?: RefObject<HTMLButtonElement | null>;
}): ReactElement {
  const { label } = choice;
  const text = textOf(choice);
  return (
    <Menu.Root modal={false}>
      <Menu.Trigger ref={trigger} className="button filter-menu" title={`${label}: ${text}`}>
        <span className="soft">{label}:</span>
        <b className="ellipsis">{text}</b>
        <Icon of="open" small />
      </Menu.Trigger>
      <Options {...choice} />
    </Menu.Root>
  );
}

export function SelectField<T extends string>({
  hint,
  error = null,
  ...choice
}: ChoiceProps<T> & {
  readonly hint?: ReactNode;
  readonly error?: string | null;
}): ReactElement {
  return (
    <Field label={choice.label} hint={hint} error={error}>
      {({ 'aria-invalid': _, ...wiring }: HTMLAttributes<HTMLElement>) => (
        <Menu.Root modal={false}>
          <Menu.Trigger
            {...wiring}
            className="input select"
            aria-label={`${choice.label}: ${textOf(choice)}`}
          >
            <span className="grow ellipsis">{textOf(choice)}</span>
            <Icon of="open" small />
          </Menu.Trigger>
          <Options {...choice} />
        </Menu.Root>
      )}
    </Field>
  );
}

function textOf<T extends string>({ value, options }: ChoiceProps<T>): string {
  return options.find((option) => option.value === value)?.text ?? value;
}

function Options<T extends string>({ label, value, options, onChange }: ChoiceProps<T>): ReactElement {
  return (
    <Menu.Portal>
      <section aria-label={label}>
        <Menu.Positioner sideOffset={4} align="start" className="above">
          <Menu.Popup className="menu choices">
            <Menu.RadioGroup value={value} onValueChange={(next: T) => onChange(next)}>
              {options.map((option) => (
                <Menu.RadioItem key={option.value} value={option.value} className="menu-item" closeOnClick>
                  <span className="grow ellipsis">{option.text}</span>
                  <Menu.RadioItemIndicator className="mark">
                    <Icon of="copied" small />
                  </Menu.RadioItemIndicator>
                </Menu.RadioItem>
              ))}
            </Menu.RadioGroup>
          </Menu.Popup>
        </Menu.Positioner>
      </section>
    </Menu.Portal>
  );
}
