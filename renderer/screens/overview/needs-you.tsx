// "Needs you": what waits for a person, one line each, with its workspace and one action.
import type { ReactElement } from 'react';
import { Link } from 'wouter';
import type { AgentStatus } from '../../../server/contract/agent.ts';
import { useAllProviders } from '../../api/outbound.ts';
import { failedByWorkspace, useAllConflicts, useAllDeadLetters } from '../../api/pending-work.ts';
import { workspaceName } from '../../api/services.ts';
import { screenHref } from '../../location/screen-location.ts';
import { type NeedsYouItem, needsYouItems } from '../../model/mirror/needs-you.ts';
import { Button } from '../../parts/buttons/button.tsx';
import { Status } from '../../parts/feedback/status.tsx';

export function NeedsYou({ status }: { readonly status: AgentStatus }): ReactElement {
  const { known } = useAllProviders(status.workspaces.map(({ workspaceId }) => workspaceId));
  const items = needsYouItems(status, {
    conflicts: useAllConflicts(),
    deadLetters: useAllDeadLetters(),
    failedOperations: failedByWorkspace(known),
  });
  return (
    <section className="card needs-you" aria-labelledby="needs-you">
      <header>
        <h2 id="needs-you">Needs you</h2>
        {items.length === 0 ? null : <span className="count">{items.length}</span>}
      </header>
      {items.length === 0 ? (
        <p className="soft">
          <Status kind="ok" word="Nothing waits for you." />
        </p>
      ) : (
        <ul>
          {items.map((item) => (
            <Item
              key={`${item.workspaceId} ${JSON.stringify(item.at)}`}
              item={item}
              name={workspaceName(status.workspaces, item.workspaceId)}
            />
          ))}
        </ul>
      )}
    </section>
  );
}

function Item({ item, name }: { readonly item: NeedsYouItem; readonly name: string }): ReactElement {
  const { kind, what, detail, workspaceId, at, action } = item;
  const label = `${action} in ${name}`;
  return (
    <li className={kind}>
      <span className="needs-you-what">
        <Status kind={kind} word={what} />
      </span>
      <b className="ellipsis needs-you-name" title={name}>
        {name}
      </b>
      <span className="soft ellipsis grow" title={detail}>
        {detail}
      </span>
      {at.kind === 'mirror' ? (
        <Button name={label} onClick={() => focusMirror(at.mirrorId)}>
          {action}
        </Button>
      ) : (
        <Link
          className="button"
          aria-label={label}
          href={screenHref(at.screen, null, {
            workspace: workspaceId,
            ...(at.filter === undefined ? {} : { filter: at.filter }),
          })}
        >
          {action}
        </Link>
      )}
    </li>
  );
}

function focusMirror(mirrorId: string): void {
  const card = document.getElementById(`mirror-${mirrorId}`);
  card?.scrollIntoView({ block: 'start' });
  card?.focus();
}
