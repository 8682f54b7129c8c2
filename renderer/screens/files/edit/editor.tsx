// The text editor of a file: its field, its changes, and its buttons.
import { type KeyboardEvent, type ReactElement, useMemo, useState } from 'react';
import { linesOf } from '../../../../server/core/merge/line-diff.ts';
import { useDisabledReason } from '../../../api/services.ts';
import { useKeys } from '../../../keys.ts';
import { forField } from '../../../model/files/line-ends.ts';
import { nameOf } from '../../../model/files/path.ts';
import { type Comparison, twoWayHunks } from '../../../model/text/conflict-rows.ts';
import { Button } from '../../../parts/buttons/button.tsx';
import { LineGrid } from '../../../parts/diff/line-grid.tsx';
import { Icon } from '../../../parts/feedback/icon.tsx';
import { ReadingRegion, readingRegionId } from '../../../parts/feedback/reading-region.tsx';
import { Status } from '../../../parts/feedback/status.tsx';
import { EditConflict } from './edit-conflict.tsx';
import type { Edit, EditorProps } from './use-edit.ts';

export function Editor(props: EditorProps): ReactElement {
  const { edit } = props;
  if (edit.choosing && edit.unsaved !== null)
    return <EditConflict {...props} unsaved={edit.unsaved} theirs={edit.theirs ?? null} />;
  return <PlainEditor {...props} />;
}

function PlainEditor({ path, edit, notes, onStop }: EditorProps): ReactElement {
  const offline = useDisabledReason();
  const [comparing, setComparing] = useState(false);
  const { unsaved, failure } = edit;
  const cannotSave = offline ?? (edit.saving ? 'Saving…' : unsaved === null ? 'No changes' : null);
  const save = (): void => {
    if (cannotSave === null) void edit.save();
  };
  useKeys({ 'mod+s': save });
  return (
    <>
      {edit.theirs === undefined ? null : <ChangedMeanwhile edit={edit} />}
      {failure === null ? null : (
        <div className="note-line" role="alert">
          <Icon of="failed" small />
          <span>{failure}</span>
        </div>
      )}
      {comparing && unsaved !== null ? (
        <ReadingRegion name="Your changes" className="detail-body work-body">
          <Changes before={forField(unsaved.base.content)} after={unsaved.text} />
        </ReadingRegion>
      ) : (
        <EditField path={path} edit={edit} onStop={onStop} />
      )}
      <div className="detail-foot">
        <Button kind="primary" shortcut="Ctrl S" disabledReason={cannotSave} onClick={save}>
          Save
        </Button>
        <Button
          disabledReason={unsaved === null ? 'No changes' : null}
          onClick={() => setComparing(!comparing)}
        >
          {comparing && unsaved !== null ? 'Back to editor' : 'Show changes'}
        </Button>
        <Button kind="ghost" shortcut="Esc" onClick={onStop}>
          {unsaved === null ? 'Done' : 'Cancel'}
        </Button>
        <span id="edit-note" className="hint end row edit-note">
          <EditState edit={edit} />
          {notes.map((note) => (
            <span key={note}>{note}</span>
          ))}
        </span>
      </div>
    </>
  );
}

function EditField({ path, edit, onStop }: Pick<EditorProps, 'path' | 'edit' | 'onStop'>): ReactElement {
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    onStop();
  };
  return (
    <textarea
      id={readingRegionId}
      ref={focusAtStart}
      className="edit-field"
      aria-label={`Text of ${nameOf(path)}`}
      aria-describedby="edit-note"
      spellCheck={false}
      autoCapitalize="off"
      autoComplete="off"
      readOnly={edit.saving}
      value={edit.text}
      onChange={(event) => edit.type(event.target.value)}
      onKeyDown={onKeyDown}
    />
  );
}

/** Focuses a new field, so that typing can start at once. A field that has the focus keeps its scroll position. */
function focusAtStart(field: HTMLTextAreaElement | null): void {
  if (field === null || document.activeElement === field) return;
  field.focus();
  field.setSelectionRange(0, 0);
  field.scrollTop = 0;
}

function EditState({ edit }: { readonly edit: Edit }): ReactElement | null {
  if (edit.saving) return <Status kind="active" word="Saving" />;
  if (edit.unsaved !== null) return <Status kind="warn" word="Not saved" />;
  return edit.saved === null ? null : <Status kind="ok" word={`Saved as ${edit.saved}`} />;
}

function ChangedMeanwhile({ edit }: { readonly edit: Edit }): ReactElement {
  return (
    <div className="note-line" role="status">
      <Icon of="warning" small />
      <span className="grow">
        {edit.theirs === null
          ? 'This file was deleted while you were editing. Your text is still here.'
          : `This file changed while you were editing (now ${edit.theirs?.revision}). Your text is still here.`}
      </span>
      <Button onClick={() => edit.choose(true)}>Compare…</Button>
    </div>
  );
}

/** `before` and `after`, side by side. */
function Changes({ before, after }: { readonly before: string; readonly after: string }): ReactElement {
  const [unfolded, setUnfolded] = useState<ReadonlySet<number>>(new Set());
  const comparison = useMemo(() => changesOf(before, after), [before, after]);
  return (
    <LineGrid
      comparison={comparison}
      shown={['base', 'mine']}
      heads={{ base: <b>Before</b>, mine: <b>After</b>, theirs: null }}
      showsRemoved
      unfolded={unfolded}
      onUnfold={(hunk) => setUnfolded(new Set(unfolded).add(hunk))}
    />
  );
}

function changesOf(before: string, after: string): Comparison {
  const versions = { base: linesOf(before), mine: linesOf(after), theirs: linesOf(before) };
  const hunks = twoWayHunks(versions.mine, versions.base).map((hunk) => ({
    ...hunk,
    kind: hunk.kind === 'clash' ? ('mine' as const) : hunk.kind,
    base: hunk.theirs,
  }));
  return { versions, hunks, notMergeable: null };
}
