// A halted mirror: the four parts, and the three things that can be done about deletions and truncations that it holds back. The
// list is shown before anything is carried; carrying them asks for their number.
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import type { HeldDeletions, Mirror } from '../../../server/contract/workspaces.ts';
import { describeError, useDisabledReason, useServices } from '../../api/services.ts';
import { count, plural, size } from '../../model/format.ts';
import { Button } from '../../parts/buttons/button.tsx';
import { ConfirmDialog } from '../../parts/dialogs/confirm-dialog.tsx';
import { Dialog } from '../../parts/dialogs/dialog.tsx';
import { announce } from '../../parts/feedback/announcer.tsx';
import { ErrorBlock } from '../../parts/feedback/error-block.tsx';
import { PathText } from '../../parts/feedback/path-text.tsx';

const pageItems = 500;

export function Halt({
  mirror,
  name,
}: {
  readonly mirror: Mirror;
  readonly name: string;
}): ReactElement | null {
  if (mirror.halt === null) return null;
  return (
    <>
      <ErrorBlock
        tone="bad"
        alert
        cause={mirror.halt.cause}
        path={<span className="mono">{mirror.dir}</span>}
        next={mirror.halt.next}
        retry="By itself, when the folder is as it was. Until then both sides stay as they are."
      />
      {mirror.halt.answers.length === 0 ? null : (
        <Resolutions mirror={mirror} name={name} halt={mirror.halt} />
      )}
    </>
  );
}

function Resolutions({
  mirror,
  name,
  halt: { deletes, truncations },
}: {
  readonly mirror: Mirror;
  readonly name: string;
  readonly halt: NonNullable<Mirror['halt']>;
}): ReactElement {
  const words = haltTexts(truncations);
  const { client, link } = useServices();
  const disabledReason = useDisabledReason();
  const [opened, setOpened] = useState<'list' | 'delete' | null>(null);
  const restore = useMutation({
    mutationFn: async () =>
      await client.halts.answer(mirror.workspaceId, mirror.mirrorId, { answer: 'restore' }),
    onSuccess: () => announce(`${plural(deletes, 'file')} of ${name} are restored from the workspace.`),
    onSettled: () => link.tryNow(),
  });
  const restoreButton = (
    <Button
      kind="primary"
      icon="undo"
      disabledReason={disabledReason ?? (restore.isPending ? 'They are being restored.' : null)}
      onClick={() => {
        setOpened(null);
        restore.mutate();
      }}
    >
      {`Restore ${plural(deletes, 'file')}`}
    </Button>
  );
  return (
    <>
      <div className="row wrap">
        <Button icon="search" disabledReason={disabledReason} onClick={() => setOpened('list')}>
          {words.show}
        </Button>
        {restoreButton}
        <Button
          kind="danger"
          icon="deleted"
          disabledReason={disabledReason}
          onClick={() => setOpened('delete')}
        >
          {words.accept}
        </Button>
      </div>
      {restore.isError ? (
        <p className="hint bad" role="alert">
          {describeError(restore.error)}
        </p>
      ) : null}
      {opened === 'list' ? (
        <PendingDeletionList
          mirror={mirror}
          name={name}
          deletes={deletes}
          words={words}
          onClose={() => setOpened(null)}
        >
          {restoreButton}
        </PendingDeletionList>
      ) : null}
      {opened === 'delete' ? (
        <ConfirmDialog
          title={`${words.verb} ${plural(deletes, 'file')} of ${name}?`}
          confirm={`${words.verb} ${plural(deletes, 'file')}`}
          danger
          typed={`${words.verb.toLowerCase()} ${deletes}`}
          onConfirm={async () => {
            await client.halts.answer(mirror.workspaceId, mirror.mirrorId, { answer: 'delete', deletes });
            announce(`${plural(deletes, 'file')} of ${name} are ${words.done}. Each stays in the history.`);
            link.tryNow();
          }}
          onClose={() => setOpened(null)}
        >
          <p>
            {words.before} <span className="mono">{mirror.dir}</span> {words.after} Each stays in its history
            and can be restored from there.
          </p>
          <p className="soft">{words.otherNumber}</p>
        </ConfirmDialog>
      ) : null}
    </>
  );
}

/** Texts of a halt for deletions alone, and of one for truncations, too. */
function haltTexts(truncations: number) {
  return truncations === 0
    ? {
        show: 'Show what would be deleted',
        accept: 'Yes, delete them…',
        verb: 'Delete',
        done: 'deleted',
        before: 'They are gone from',
        after: 'already and will be deleted in the workspace, too.',
        otherNumber: 'If it is another number by now, nothing is deleted.',
        listTitle: 'What would be deleted in',
        listed: 'that the folder does not have any more. Nothing was deleted.',
      }
    : {
        show: 'Show what would be lost',
        accept: 'Accept the changes…',
        verb: 'Change',
        done: 'changed',
        before: 'They were deleted or truncated in',
        after: 'and will be deleted or truncated in the workspace, too.',
        otherNumber: 'If it is another number by now, nothing is changed.',
        listTitle: 'What would be lost in',
        listed: 'that were deleted or truncated in the folder. The workspace still has their content.',
      };
}

/** `12 KB to 0 B`: what the workspace holds, and what it would hold. */
function sizeText({ size: before, sizeAfter }: HeldDeletions['items'][number], mixed: boolean): string {
  if (sizeAfter !== null) return `truncated, ${size(before)} to ${size(sizeAfter)}`;
  return mixed ? `deleted, ${size(before)}` : size(before);
}

function PendingDeletionList({
  mirror,
  name,
  deletes,
  words,
  onClose,
  children,
}: {
  readonly mirror: Mirror;
  readonly name: string;
  readonly deletes: number;
  readonly words: ReturnType<typeof haltTexts>;
  readonly onClose: () => void;
  readonly children: ReactElement;
}): ReactElement {
  const { client } = useServices();
  const held = useInfiniteQuery({
    queryKey: ['halt', mirror.workspaceId, mirror.mirrorId, deletes],
    queryFn: async ({ pageParam, signal }) =>
      await client.halts.show(mirror.workspaceId, mirror.mirrorId, {
        limit: pageItems,
        signal,
        ...(pageParam === null ? {} : { cursor: pageParam }),
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    staleTime: 0,
    gcTime: 0,
  });
  const items = held.data?.pages.flatMap((page) => page.items) ?? [];
  const mixed = items.some(({ change }) => change === 'truncation');
  return (
    <Dialog title={`${words.listTitle} ${name}`} onClose={onClose} wide>
      <div className="dialog-body">
        <p className="soft">
          {plural(deletes, 'file')} {words.listed}
        </p>
        {held.isError ? (
          <p className="hint bad" role="alert">
            {describeError(held.error)}
          </p>
        ) : null}
        <section
          className="held-list"
          aria-label="Files"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
          tabIndex={0}
        >
          <ul>
            {items.map((item) => (
              <li key={item.path}>
                <PathText path={item.path} />
                <span className="faint">{sizeText(item, mixed)}</span>
              </li>
            ))}
          </ul>
        </section>
        {held.hasNextPage ? (
          <Button
            disabledReason={held.isFetchingNextPage ? 'They are being read.' : null}
            onClick={() => void held.fetchNextPage()}
          >
            {`Show more: ${count(items.length)} of ${count(deletes)} are here`}
          </Button>
        ) : null}
      </div>
      <div className="dialog-actions">
        <Button onClick={onClose}>Close</Button>
        {children}
      </div>
    </Dialog>
  );
}
