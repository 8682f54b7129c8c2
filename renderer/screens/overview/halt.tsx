// A halted mirror: the four parts, and the three things that can be done about deletions that it holds back. The list is shown
// before anything is deleted; deleting asks for its number.
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import type { Mirror } from '../../../server/contract/workspaces.ts';
import { describeError, useBlocked, useServices } from '../../api/services.ts';
import { count, counted, size } from '../../model/format.ts';
import { announce } from '../../parts/announcer.tsx';
import { Button } from '../../parts/button.tsx';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { ErrorBlock } from '../../parts/error-block.tsx';
import { PathText } from '../../parts/path-text.tsx';

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
        <Answers mirror={mirror} name={name} deletes={mirror.halt.deletes} />
      )}
    </>
  );
}

function Answers({
  mirror,
  name,
  deletes,
}: {
  readonly mirror: Mirror;
  readonly name: string;
  readonly deletes: number;
}): ReactElement {
  const { client, link } = useServices();
  const blocked = useBlocked();
  const [opened, setOpened] = useState<'list' | 'delete' | null>(null);
  const restore = useMutation({
    mutationFn: async () =>
      await client.halts.answer(mirror.workspaceId, mirror.mirrorId, { answer: 'restore' }),
    onSuccess: () => announce(`${counted(deletes, 'file')} of ${name} come back from the workspace.`),
    onSettled: () => link.tryNow(),
  });
  const restoreButton = (
    <Button
      kind="primary"
      icon="undo"
      blocked={blocked ?? (restore.isPending ? 'They are being restored.' : null)}
      onClick={() => {
        setOpened(null);
        restore.mutate();
      }}
    >
      {`Restore ${counted(deletes, 'file')}`}
    </Button>
  );
  return (
    <>
      <div className="row wrap">
        <Button icon="search" blocked={blocked} onClick={() => setOpened('list')}>
          Show what would be deleted
        </Button>
        {restoreButton}
        <Button kind="danger" icon="deleted" blocked={blocked} onClick={() => setOpened('delete')}>
          Yes, delete them…
        </Button>
      </div>
      {restore.isError ? (
        <p className="hint bad" role="alert">
          {describeError(restore.error)}
        </p>
      ) : null}
      {opened === 'list' ? (
        <HeldList mirror={mirror} name={name} deletes={deletes} onClose={() => setOpened(null)}>
          {restoreButton}
        </HeldList>
      ) : null}
      {opened === 'delete' ? (
        <ConfirmDialog
          title={`Delete ${counted(deletes, 'file')} of ${name}?`}
          confirm={`Delete ${counted(deletes, 'file')}`}
          danger
          typed={`delete ${deletes}`}
          onConfirm={async () => {
            await client.halts.answer(mirror.workspaceId, mirror.mirrorId, { answer: 'delete', deletes });
            announce(`${counted(deletes, 'file')} of ${name} are deleted. Each stays in the history.`);
            link.tryNow();
          }}
          onClose={() => setOpened(null)}
        >
          <p>
            They are gone from <span className="mono">{mirror.dir}</span> already and will be deleted in the
            workspace, too. Each stays in its history and can be restored from there.
          </p>
          <p className="soft">If it is another number by now, nothing is deleted.</p>
        </ConfirmDialog>
      ) : null}
    </>
  );
}

function HeldList({
  mirror,
  name,
  deletes,
  onClose,
  children,
}: {
  readonly mirror: Mirror;
  readonly name: string;
  readonly deletes: number;
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
  return (
    <Dialog title={`What would be deleted in ${name}`} onClose={onClose} wide>
      <div className="dialog-body">
        <p className="soft">
          {counted(deletes, 'file')} that the folder does not have any more. Nothing was deleted.
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
                <span className="faint">{size(item.size)}</span>
              </li>
            ))}
          </ul>
        </section>
        {held.hasNextPage ? (
          <Button
            blocked={held.isFetchingNextPage ? 'They are being read.' : null}
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
