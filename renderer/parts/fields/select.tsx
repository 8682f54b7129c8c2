// A field of a form that chooses one of several values: a button with the value, and a list of them. Typing finds an option.
import { Select as BaseSelect } from '@base-ui/react/select';
import type { HTMLAttributes, ReactElement, ReactNode } from 'react';
import { Icon } from '../feedback/icon.tsx';
import { Field } from './field.tsx';

interface SelectProps<T extends string> {
  readonly value: T;
  readonly options: readonly { readonly value: T; readonly text: string }[];
  readonly onChange: (value: T) => void;
}

export function SelectField<T extends string>({
  label,
  hint,
  error = null,
  ...select
}: SelectProps<T> & {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly error?: string | null;
}): ReactElement {
  return (
    <Field label={label} hint={hint} error={error}>
      {(wiring) => <Select {...select} wiring={wiring} />}
    </Field>
  );
}

export function Select<T extends string>({
  value,
  options,
  onChange,
  wiring,
}: SelectProps<T> & {
  readonly wiring: HTMLAttributes<HTMLElement>;
}): ReactElement {
  return (
    <BaseSelect.Root
      items={options.map((option) => ({ value: option.value, label: option.text }))}
      value={value}
      onValueChange={(next) => {
        if (next !== null) onChange(next);
      }}
      modal={false}
    >
      <BaseSelect.Trigger {...wiring} className="input select">
        <BaseSelect.Value className="grow ellipsis" />
        <BaseSelect.Icon className="icon-box">
          <Icon of="open" small />
        </BaseSelect.Icon>
      </BaseSelect.Trigger>
      <BaseSelect.Portal>
        <BaseSelect.Positioner sideOffset={4} alignItemWithTrigger={false} className="above">
          <BaseSelect.Popup className="menu select-menu">
            <BaseSelect.List>
              {options.map((option) => (
                <BaseSelect.Item key={option.value} value={option.value} className="menu-item">
                  <BaseSelect.ItemText className="grow ellipsis">{option.text}</BaseSelect.ItemText>
                  <BaseSelect.ItemIndicator className="mark">
                    <Icon of="copied" small />
                  </BaseSelect.ItemIndicator>
                </BaseSelect.Item>
              ))}
            </BaseSelect.List>
          </BaseSelect.Popup>
        </BaseSelect.Positioner>
      </BaseSelect.Portal>
    </BaseSelect.Root>
  );
}
