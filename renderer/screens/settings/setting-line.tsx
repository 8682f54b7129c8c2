// A setting: name, description, control.
import type { ReactElement, ReactNode } from 'react';
import { Segments } from '../../parts/buttons/segments.tsx';

export function SettingLine({
  name,
  about,
  children,
}: {
  readonly name: string;
  readonly about: ReactNode;
  readonly children?: ReactNode;
}): ReactElement {
  return (
    <li>
      <span className="grow">
        <b>{name}</b>
        <span className="second faint">{about}</span>
      </span>
      {children}
    </li>
  );
}

/** A setting that is on or off. */
export function SwitchLine({
  name,
  about,
  state,
  onChange,
}: {
  readonly name: string;
  readonly about: string;
  /** `unavailable`: the reason; null: available. */
  readonly state: { readonly on: boolean; readonly unavailable: string | null };
  readonly onChange: (on: boolean) => void;
}): ReactElement {
  return (
    <SettingLine name={name} about={state.unavailable === null ? about : `${about} ${state.unavailable}`}>
      {state.unavailable === null ? (
        <Segments
          label={name}
          options={[
            { value: 'on', text: 'On' },
            { value: 'off', text: 'Off' },
          ]}
          value={state.on ? 'on' : 'off'}
          onChange={(next: 'on' | 'off') => onChange(next === 'on')}
        />
      ) : null}
    </SettingLine>
  );
}
