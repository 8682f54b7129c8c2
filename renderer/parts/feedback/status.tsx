// A state as icon, label and colour.
import type { ReactElement } from 'react';
import type { StatusKind } from '../../model/mirror/mirror-view.ts';
import { Icon, type Meaning } from './icon.tsx';

const icons: Record<StatusKind, Meaning> = {
  ok: 'fine',
  active: 'moving',
  waiting: 'waiting',
  paused: 'paused',
  warn: 'warning',
  halted: 'halted',
  failed: 'failed',
  offline: 'offline',
};

export function Status({
  kind,
  word,
  pill = false,
}: {
  readonly kind: StatusKind;
  readonly word: string;
  readonly pill?: boolean;
}): ReactElement {
  return (
    <span className={`status ${kind}${pill ? ' pill' : ''}`}>
      <Icon of={icons[kind]} small spinning={kind === 'active'} />
      {word}
    </span>
  );
}
