// The text of a file in a field, and what can be done with it.
import { type KeyboardEvent, type ReactElement, useState } from 'react';
import { useDisabledReason } from '../../../api/services.ts';
import { useKeys } from '../../../keys.ts';
import { forField } from '../../../model/files/line-ends.ts';
import { nameOf } from '../../../model/files/path.ts';
import type { Comparison } from '../../../model/text/conflict-rows.ts';
import { linesOf, twoWayPieces } from '../../../model/text/conflict-rows.ts';
import { Button } from '../../../parts/buttons/button.tsx';
import { LineGrid } from '../../../parts/diff/line-grid.tsx';
import { Icon } from '../../../parts/feedback/icon.tsx';
import { ReadingRegion, readingRegionId } from '../../../parts/feedback/reading-region.tsx';
import { Status } from '../../../parts/feedback/status.tsx';
import { EditConflict } from './edit-conflict.tsx';
import type { Edit, EditorProps } from './use-edit.ts';

export function Editor(props: EditorProps): ReactElement {
  const { edit } = props;
  if (edit.choosing && edit.draft !== null)
    return <EditConflict {...props} draft={edit.draft} theirs={edit.theirs ?? null} />;
  return <PlainEditor {...props} />;
}

function PlainEditor({ path, edit, notes, onStop }: EditorProps): ReactElement {
  const offline = useDisabledReason();
  const [comparing, setComparing] = useState(false);
  const { draft, failure, saving } = edit;
  const cannotSave =
    offline ?? (saving ? 'It is being saved.' : draft === null ? 'Nothing is changed yet.' : null);
  const save = (): void => {
    if (cannotSave === null) void edit.save();
  };
  useKeys({ 'mod+s': save });
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    onStop();
  };
  return (
    <>
      {edit.theirs === undefined ? null : <ChangedMeanwhile edit={edit} />}
      {failure === null ? null : (
        <div className="note-line" role="alert">
          <Icon of="failed" small />
          <span>{failure}</span>
        </div>
      )}
      {comparing && draft !== null ? (
        <ReadingRegion name="What you changed" className="detail-body work-body">
          <Changes before={forField(draft.base.content)} after={draft.text} />
        </ReadingRegion>
      ) : (
        <textarea
          id={readingRegionId}
          ref={focusAtOnce}
          className="edit-field"
          aria-label={`Text of ${nameOf(path)}`}
          aria-describedby="edit-note"
          spellCheck={false}
          autoCapitalize="off"
          autoComplete="off"
          readOnly={saving}
          value={edit.text}
          onChange={(event) => edit.type(event.target.value)}
          onKeyDown={onKeyDown}
        />
      )}
      <div className="detail-foot">
        <Button kind="primary" shortcut="Ctrl S" disabledReason={cannotSave} onClick={save}>
          Save
        </Button>
        <Button
          disabledReason={draft === null ? 'Nothing is changed yet.' : null}
          onClick={() => setComparing(!comparing)}
        >
          {comparing && draft !== null ? 'Back to the text' : 'Show changes'}
        </Button>
        <Button kind="ghost" shortcut="Esc" onClick={onStop}>
          {draft === null ? 'Done' : 'Cancel'}
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

/** Whoever presses E goes on typing without looking. A field that had the focus already keeps its place. */
function focusAtOnce(field: HTMLTextAreaElement | null): void {
  if (field === null || document.activeElement === field) return;
  field.focus();
  field.setSelectionRange(0, 0);
  field.scrollTop = 0;
}

function EditState({ edit }: { readonly edit: Edit }): ReactElement | null {
  if (edit.saving) return <Status kind="active" word="Saving" />;
  if (edit.draft !== null) return <Status kind="warn" word="Not saved" />;
  return edit.saved === null ? null : <Status kind="ok" word={`Saved as ${edit.saved}`} />;
}

function ChangedMeanwhile({ edit }: { readonly edit: Edit }): ReactElement {
  return (
    <div className="note-line" role="status">
      <Icon of="warning" small />
      <span className="grow">
        {edit.theirs === null
          ? 'This file was deleted while you edited it. Your text stays here.'
          : `This file changed while you edited it: ${edit.theirs?.revision} stands there now. Your text stays here.`}
      </span>
      <Button onClick={() => edit.choose(true)}>Compare…</Button>
    </div>
  );
}

/** `before` beside `after`, level. */
function Changes({ before, after }: { readonly before: string; readonly after: string }): ReactElement {
  const [unfolded, setUnfolded] = useState<ReadonlySet<number>>(new Set());
  const comparison = changesOf(before, after);
  return (
    <LineGrid
      comparison={comparison}
      sides={['base', 'folder']}
      heads={{ base: <b>Before</b>, folder: <b>After</b>, workspace: null }}
      showsRemoved
      unfolded={unfolded}
      onUnfold={(piece) => setUnfolded(new Set(unfolded).add(piece))}
    />
  );
}

function changesOf(before: string, after: string): Comparison {
  const texts = { folder: linesOf(after), base: linesOf(before), workspace: linesOf(before) };
  const pieces = twoWayPieces(texts.folder, texts.base).map((piece) => ({
    ...piece,
    kind: piece.kind === 'clash' ? ('folder' as const) : piece.kind,
    base: piece.workspace,
  }));
  return { texts, pieces, mergeable: true };
}
