// A halted mirror: its cause, and the resolutions of pending deletions and truncations: list, restore, delete. Deleting asks for
// their number.
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import type { HeldDeletions, Mirror } from '../../../server/contract/workspaces.ts';
import { useDisabledReason, useServices } from '../../api/services.ts';
import { count, plural, size } from '../../model/format.ts';
import { Button } from '../../parts/buttons/button.tsx';
import { ConfirmDialog } from '../../parts/dialogs/confirm-dialog.tsx';
import { Dialog } from '../../parts/dialogs/dialog.tsx';
import { announce } from '../../parts/feedback/answers.ts';
import { ErrorBlock } from '../../parts/feedback/error-block.tsx';
import { FailureText } from '../../parts/feedback/note.tsx';
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
        retry="Resumes automatically when the folder is back. Until then nothing changes on either side."
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
  const texts = haltTexts(truncations);
  const { client, link } = useServices();
  const disabledReason = useDisabledReason();
  const [opened, setOpened] = useState<'list' | 'delete' | null>(null);
  const restore = useMutation({
    mutationFn: async () =>
      await client.mirrors.resolveHalt(mirror.workspaceId, mirror.mirrorId, { answer: 'restore' }),
    onSuccess: () => announce(`Restoring ${plural(deletes, 'file')} of ${name} from the workspace.`),
    onSettled: () => link.tryNow(),
  });
  const dialog: HaltDialogProps = { mirror, name, deletes, texts, onClose: () => setOpened(null) };
  const restoreButton = (
    <Button
      kind="primary"
      icon="undo"
      disabledReason={disabledReason ?? (restore.isPending ? 'Restoring…' : null)}
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
          Show files
        </Button>
        {restoreButton}
        <Button
          kind="danger"
          icon="deleted"
          disabledReason={disabledReason}
          onClick={() => setOpened('delete')}
        >
          {texts.accept}
        </Button>
      </div>
      <FailureText error={restore.error} />
      {opened === 'list' ? <PendingDeletionList {...dialog}>{restoreButton}</PendingDeletionList> : null}
      {opened === 'delete' ? <DeleteDialog {...dialog} /> : null}
    </>
  );
}

interface HaltDialogProps {
  readonly mirror: Mirror;
  readonly name: string;
  readonly deletes: number;
  readonly texts: ReturnType<typeof haltTexts>;
  readonly onClose: () => void;
}

function DeleteDialog({ mirror, name, deletes, texts, onClose }: HaltDialogProps): ReactElement {
  const { client, link } = useServices();
  return (
    <ConfirmDialog
      title={`${texts.verb} ${plural(deletes, 'file')} of ${name}?`}
      confirm={`${texts.verb} ${plural(deletes, 'file')}`}
      danger
      typed={`${texts.verb.toLowerCase()} ${deletes}`}
      onConfirm={async () => {
        await client.mirrors.resolveHalt(mirror.workspaceId, mirror.mirrorId, { answer: 'delete', deletes });
        announce(`${texts.running} ${plural(deletes, 'file')} of ${name}. History keeps their revisions.`);
        link.tryNow();
      }}
      onClose={onClose}
    >
      <p>
        {plural(deletes, 'file is', 'files are')} {texts.what} <span className="mono">{mirror.dir}</span>.{' '}
        {texts.consequence} Their revisions stay in history and can be restored.
      </p>
      <p className="soft">{texts.numberChanged}</p>
    </ConfirmDialog>
  );
}

/** Texts of a halt for deletions only, or for deletions and truncations. */
function haltTexts(truncations: number) {
  return truncations === 0
    ? {
        accept: 'Delete files…',
        verb: 'Delete',
        running: 'Deleting',
        what: 'missing from',
        consequence: 'This deletes them in the workspace as well.',
        numberChanged: 'If the number has changed, nothing is deleted.',
        listTitle: 'Pending deletions in',
        listNote: 'Nothing was deleted.',
      }
    : {
        accept: 'Accept changes…',
        verb: 'Change',
        running: 'Changing',
        what: 'deleted or truncated in',
        consequence: 'This deletes or truncates them in the workspace as well.',
        numberChanged: 'If the number has changed, nothing is changed.',
        listTitle: 'Pending changes in',
        listNote: 'The workspace still has their content.',
      };
}

/** `12 KB to 0 B`: the size in the workspace before and after. */
function sizeText({ size: before, sizeAfter }: HeldDeletions['items'][number], mixed: boolean): string {
  if (sizeAfter !== null) return `truncated, ${size(before)} to ${size(sizeAfter)}`;
  return mixed ? `deleted, ${size(before)}` : size(before);
}

function PendingDeletionList({
  mirror,
  name,
  deletes,
  texts,
  onClose,
  children,
}: HaltDialogProps & { readonly children: ReactElement }): ReactElement {
  const { client } = useServices();
  const pending = useInfiniteQuery({
    queryKey: ['halt', mirror.workspaceId, mirror.mirrorId, deletes],
    queryFn: async ({ pageParam, signal }) =>
      await client.mirrors.pendingDeletions(mirror.workspaceId, mirror.mirrorId, {
        limit: pageItems,
        signal,
        ...(pageParam === null ? {} : { cursor: pageParam }),
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    gcTime: 0,
  });
  const items = pending.data?.pages.flatMap((page) => page.items) ?? [];
  const mixed = items.some(({ change }) => change === 'truncation');
  return (
    <Dialog title={`${texts.listTitle} ${name}`} onClose={onClose} wide>
      <div className="dialog-body">
        <p className="soft">
          {plural(deletes, 'file is', 'files are')} {texts.what} the folder. {texts.listNote}
        </p>
        <FailureText error={pending.error} />
        <section
          className="held-list"
          aria-label="Files"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling regions must be reachable by keyboard
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
        {pending.hasNextPage ? (
          <Button
            disabledReason={pending.isFetchingNextPage ? 'Loading…' : null}
            onClick={() => void pending.fetchNextPage()}
          >
            {`Show more: ${count(items.length)} of ${count(deletes)}`}
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
