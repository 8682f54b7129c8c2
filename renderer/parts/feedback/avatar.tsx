// The avatar of an author: round with initials for a person, square with an icon for programs and all others. Its name is beside it.
import type { ReactElement } from 'react';
import { type ActorKind, type ActorView, hueOf, initialsOf } from '../../model/actor-view.ts';
import { Icon, type Meaning } from './icon.tsx';

const icons: Readonly<Record<Exclude<ActorKind, 'person'>, Meaning>> = {
  agent: 'agent',
  folder: 'folder',
  provider: 'provider',
  remote: 'remote',
  mooring: 'mooring',
};

export function Avatar({ of: actor }: { readonly of: ActorView }): ReactElement {
  return (
    <span
      className={`avatar hue-${hueOf(actor)}${actor.kind === 'person' ? ' person' : ''}`}
      aria-hidden="true"
    >
      {actor.kind === 'person' ? initialsOf(actor.name) : <Icon of={icons[actor.kind]} small />}
    </span>
  );
}
