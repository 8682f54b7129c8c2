// Resolves an edit of a file that changed on the agent meanwhile: your version, theirs, or a merge of both.
import { type ReactElement, useMemo, useState } from 'react';
import type { FileRecord } from '../../../../server/contract/files.ts';
import { linesOf } from '../../../../server/core/merge/line-diff.ts';
import type { ChosenText } from '../../../../server/core/merge/three-way-merge.ts';
import { useDisabledReason } from '../../../api/services.ts';
import { editKey, setUnsavedEdit, type UnsavedEdit } from '../../../api/unsaved-edits.ts';
import { useKeys } from '../../../keys.ts';
import { forField } from '../../../model/files/line-ends.ts';
import { nameOf } from '../../../model/files/path.ts';
import {
  type Decisions,
  hunkKey,
  mergedText,
  threeWayComparison,
} from '../../../model/text/conflict-rows.ts';
import { Button } from '../../../parts/buttons/button.tsx';
import { Segments } from '../../../parts/buttons/segments.tsx';
import { PlainLines } from '../../../parts/diff/line-grid.tsx';
import { MergeSection } from '../../../parts/diff/merge-section.tsx';
import { runWithUndo } from '../../../parts/feedback/answers.ts';
import { Icon } from '../../../parts/feedback/icon.tsx';
import { Note } from '../../../parts/feedback/note.tsx';
import { ReadingRegion } from '../../../parts/feedback/reading-region.tsx';
import { Result, Versions, versionNames } from './edit-versions.tsx';
import type { EditorProps } from './use-edit.ts';

type View = 'sides' | 'three' | 'result';
const viewOptions: readonly { readonly value: View; readonly text: string }[] = [
  { value: 'sides', text: 'Side by side' },
  { value: 'three', text: 'Three-way' },
  { value: 'result', text: 'Result' },
];

const tooDifferent = 'The versions are too different to merge. Keep one of them.';

interface ConflictProps extends EditorProps {
  readonly unsaved: UnsavedEdit;
  /** null: it was deleted. */
  readonly theirs: FileRecord | null;
}

export function EditConflict(props: ConflictProps): ReactElement {
  return props.theirs === null ? (
    <DeletedMeanwhile {...props} />
  ) : (
    <BothChanged {...props} theirs={props.theirs} />
  );
}

interface Choices {
  /** Why nothing can be saved; null: it can. */
  readonly disabledReason: string | null;
  /** Why no merge can be saved; null: it can. */
  readonly mergeDisabledReason: string | null;
  readonly keepMine: () => void;
  readonly keepTheirs: () => void;
  /** Saves the merge, or focuses the first unresolved conflict. */
  readonly merge: () => void;
  readonly back: () => void;
}

/** The choices, by button and by key. `merged` is null if the versions cannot be merged. */
function useChoices({ workspaceId, path, edit, unsaved }: ConflictProps, merged: ChosenText | null): Choices {
  const offline = useDisabledReason();
  const disabledReason = offline ?? (edit.saving ? 'Saving…' : null);
  const choices: Choices = {
    disabledReason,
    mergeDisabledReason: disabledReason ?? (merged === null ? tooDifferent : null),
    keepMine: () => void edit.saveOver(unsaved.text),
    keepTheirs: () => {
      const key = editKey(workspaceId, path);
      edit.choose(false);
      setUnsavedEdit(key, null);
      runWithUndo({
        text: `Edit of ${nameOf(path)} discarded.`,
        run: async () => undefined,
        restore: () => setUnsavedEdit(key, unsaved),
      });
    },
    merge: () => {
      if (merged === null) return;
      if (merged.text !== null) void edit.saveOver(merged.text);
      else document.getElementById('decisions')?.querySelector<HTMLElement>('[data-open] button')?.focus();
    },
    back: () => edit.choose(false),
  };
  useKeys({
    '1': () => disabledReason === null && choices.keepMine(),
    '2': () => !edit.saving && choices.keepTheirs(),
    m: () => choices.mergeDisabledReason === null && choices.merge(),
    Escape: choices.back,
  });
  return choices;
}

function BothChanged(props: ConflictProps & { readonly theirs: FileRecord }): ReactElement {
  const { edit, unsaved, theirs } = props;
  const [view, setView] = useState<View>('sides');
  const [decisions, setDecisions] = useState<Decisions>(new Map());
  const comparison = useMemo(
    () => threeWayComparison(forField(unsaved.base.content), unsaved.text, forField(theirs.content)),
    [unsaved, theirs],
  );
  const merged = mergedText(comparison, decisions);
  const choices = useChoices(props, merged);
  return (
    <>
      <ConflictNote edit={edit} onBack={choices.back}>
        {`${theirs.revision} was saved while you edited ${unsaved.base.revision}. Your version is not saved yet; theirs stays in history.`}
      </ConflictNote>
      <ReadingRegion name="Both versions" className="detail-body work-body">
        {merged === null ? null : (
          <span>
            <Segments label="Compare" options={viewOptions} value={view} onChange={setView} />
          </span>
        )}
        {view === 'result' && merged !== null ? (
          <Result merged={merged} onEdit={edit.editOver} />
        ) : (
          <Versions
            comparison={comparison}
            showsBase={view === 'three' && merged !== null}
            unsaved={unsaved}
            theirs={theirs}
          />
        )}
        {merged === null ? (
          <Note>{tooDifferent}</Note>
        ) : (
          <MergeSection
            merged={merged}
            comparison={comparison}
            names={versionNames}
            decisionOf={(hunk) => decisions.get(hunkKey(comparison, hunk))}
            onDecide={(hunk, decision) =>
              setDecisions(new Map(decisions).set(hunkKey(comparison, hunk), decision))
            }
          />
        )}
      </ReadingRegion>
      <Foot choices={choices} isDecided={merged === null || merged.undecided === 0} saving={edit.saving} />
    </>
  );
}

function Foot({
  choices: { disabledReason, mergeDisabledReason, keepMine, keepTheirs, merge },
  isDecided,
  saving,
}: {
  readonly choices: Choices;
  readonly isDecided: boolean;
  readonly saving: boolean;
}): ReactElement {
  return (
    <div className="detail-foot">
      <Button shortcut="1" disabledReason={disabledReason} onClick={keepMine}>
        Keep mine
      </Button>
      <Button shortcut="2" disabledReason={saving ? 'Saving…' : null} onClick={keepTheirs}>
        Keep theirs
      </Button>
      <Button
        kind="primary"
        icon="conflict"
        shortcut="M"
        disabledReason={mergeDisabledReason}
        onClick={merge}
      >
        {isDecided ? 'Save merge' : 'Merge…'}
      </Button>
    </div>
  );
}

function DeletedMeanwhile({ edit, unsaved, onStop }: ConflictProps): ReactElement {
  const offline = useDisabledReason();
  const disabledReason = offline ?? (edit.saving ? 'Saving…' : null);
  const saveAgain = (): void => void edit.saveOver(unsaved.text);
  useKeys({ '1': () => disabledReason === null && saveAgain(), Escape: () => edit.choose(false) });
  return (
    <>
      <ConflictNote edit={edit} onBack={() => edit.choose(false)}>
        {`The file was deleted while you edited ${unsaved.base.revision}. Your text is still here, and the history of the file is retained.`}
      </ConflictNote>
      <ReadingRegion name="Your text" className="detail-body work-body">
        <PlainLines title="Your text" lines={linesOf(unsaved.text)} />
      </ReadingRegion>
      <div className="detail-foot">
        <Button kind="primary" shortcut="1" disabledReason={disabledReason} onClick={saveAgain}>
          Save as new file
        </Button>
        <Button onClick={onStop}>Keep deleted</Button>
      </div>
    </>
  );
}

function ConflictNote({
  edit,
  onBack,
  children,
}: {
  readonly edit: EditorProps['edit'];
  readonly onBack: () => void;
  readonly children: string;
}): ReactElement {
  return (
    <>
      <div className="note-line" role="status">
        <Icon of="conflict" small />
        <span className="grow">{children}</span>
        <Button shortcut="Esc" onClick={onBack}>
          Back to editor
        </Button>
      </div>
      {edit.failure === null ? null : (
        <div className="note-line" role="alert">
          <Icon of="failed" small />
          <span>{edit.failure}</span>
        </div>
      )}
    </>
  );
}
