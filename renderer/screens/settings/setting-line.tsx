// A setting: name, description, control.
import type { ReactElement, ReactNode } from 'react';

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
