// Two edits of one file, made at the same time: yours, and what was saved meanwhile. Both are shown until you choose.
import { type ReactElement, useMemo, useState } from 'react';
import type { FileRecord } from '../../../../server/contract/files.ts';
import { useDisabledReason } from '../../../api/services.ts';
import { editKey, setUnsavedEdit, type UnsavedEdit } from '../../../api/unsaved-edits.ts';
import { useKeys } from '../../../keys.ts';
import { forField } from '../../../model/files/line-ends.ts';
import { nameOf } from '../../../model/files/path.ts';
import {
  type Comparison,
  clashKey,
  type Decisions,
  linesOf,
  type Merged,
  mergedText,
  type Side,
} from '../../../model/text/conflict-rows.ts';
import { threeWayPieces } from '../../../model/text/three-way.ts';
import { Button } from '../../../parts/buttons/button.tsx';
import { Segments } from '../../../parts/buttons/segments.tsx';
import { LineGrid, PlainLines } from '../../../parts/diff/line-grid.tsx';
import { MergeSection } from '../../../parts/diff/merge-section.tsx';
import { Icon } from '../../../parts/feedback/icon.tsx';
import { ReadingRegion } from '../../../parts/feedback/reading-region.tsx';
import { Time } from '../../../parts/feedback/time.tsx';
import { runWithUndo } from '../../../parts/feedback/undo.tsx';
import type { EditorProps } from './use-edit.ts';

const sideNames: Readonly<Record<Side, string>> = { folder: 'Yours', base: 'Before', workspace: 'Theirs' };

type View = 'sides' | 'three' | 'result';
const viewOptions: readonly { readonly value: View; readonly text: string }[] = [
  { value: 'sides', text: 'Side by side' },
  { value: 'three', text: 'Three-way' },
  { value: 'result', text: 'Result' },
];

interface ConflictProps extends EditorProps {
  readonly draft: UnsavedEdit;
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
  readonly disabledReason: string | null;
  readonly keepMine: () => void;
  readonly takeTheirs: () => void;
  /** Saves the merge, or goes to the first place that is not decided. */
  readonly merge: () => void;
  readonly back: () => void;
}

/** What can be done, by button and by key. */
function useChoices({ workspaceId, path, edit, draft }: ConflictProps, merged: Merged): Choices {
  const offline = useDisabledReason();
  const disabledReason = offline ?? (edit.saving ? 'It is being saved.' : null);
  const choices: Choices = {
    disabledReason,
    keepMine: () => void edit.saveOver(draft.text),
    takeTheirs: () => {
      const key = editKey(workspaceId, path);
      edit.choose(false);
      setUnsavedEdit(key, null);
      runWithUndo({
        text: `Your edit of ${nameOf(path)} is thrown away.`,
        run: async () => undefined,
        restore: () => setUnsavedEdit(key, draft),
      });
    },
    merge: () => {
      if (merged.text !== null) void edit.saveOver(merged.text);
      else document.getElementById('decisions')?.querySelector<HTMLElement>('[data-open] button')?.focus();
    },
    back: () => edit.choose(false),
  };
  useKeys({
    '1': () => disabledReason === null && choices.keepMine(),
    '2': () => !edit.saving && choices.takeTheirs(),
    m: () => disabledReason === null && choices.merge(),
    Escape: choices.back,
  });
  return choices;
}

function BothChanged(props: ConflictProps & { readonly theirs: FileRecord }): ReactElement {
  const { edit, draft, theirs } = props;
  const [view, setView] = useState<View>('sides');
  const [decisions, setDecisions] = useState<Decisions>(new Map());
  const comparison = useMemo(() => comparisonOf(draft, theirs), [draft, theirs]);
  const { pieces, texts } = comparison;
  const merged = mergedText(pieces, texts, decisions);
  const choices = useChoices(props, merged);
  return (
    <>
      <ConflictNote edit={edit} onBack={choices.back}>
        {`${theirs.revision} was saved while you edited ${draft.base.revision}. Yours is not saved yet; theirs stays in the history.`}
      </ConflictNote>
      <ReadingRegion name="Both versions" className="detail-body work-body">
        <span>
          <Segments label="Compare" options={viewOptions} value={view} onChange={setView} />
        </span>
        {view === 'result' ? (
          <Result merged={merged} onEdit={edit.editOver} />
        ) : (
          <Sides comparison={comparison} three={view === 'three'} draft={draft} theirs={theirs} />
        )}
        <MergeSection
          merged={merged}
          comparison={comparison}
          names={sideNames}
          decisionOf={(piece) => decisions.get(clashKey(piece, texts))}
          onDecide={(piece, decision) =>
            setDecisions(new Map(decisions).set(clashKey(piece, texts), decision))
          }
        />
      </ReadingRegion>
      <Foot choices={choices} decided={merged.undecided === 0} saving={edit.saving} />
    </>
  );
}

function Foot({
  choices: { disabledReason, keepMine, takeTheirs, merge },
  decided,
  saving,
}: {
  readonly choices: Choices;
  readonly decided: boolean;
  readonly saving: boolean;
}): ReactElement {
  return (
    <div className="detail-foot">
      <Button shortcut="1" disabledReason={disabledReason} onClick={keepMine}>
        Keep mine
      </Button>
      <Button shortcut="2" disabledReason={saving ? 'It is being saved.' : null} onClick={takeTheirs}>
        Take theirs
      </Button>
      <Button kind="primary" icon="conflict" shortcut="M" disabledReason={disabledReason} onClick={merge}>
        {decided ? 'Save the merge' : 'Merge…'}
      </Button>
    </div>
  );
}

function DeletedMeanwhile({ edit, draft, onStop }: ConflictProps): ReactElement {
  const offline = useDisabledReason();
  const disabledReason = offline ?? (edit.saving ? 'It is being saved.' : null);
  const saveAgain = (): void => void edit.saveOver(draft.text);
  useKeys({ '1': () => disabledReason === null && saveAgain(), Escape: () => edit.choose(false) });
  return (
    <>
      <ConflictNote edit={edit} onBack={() => edit.choose(false)}>
        {`The file was deleted while you edited ${draft.base.revision}. Your text is here; its history is kept.`}
      </ConflictNote>
      <ReadingRegion name="Your text" className="detail-body work-body">
        <PlainLines title="Your text" lines={linesOf(draft.text)} />
      </ReadingRegion>
      <div className="detail-foot">
        <Button kind="primary" shortcut="1" disabledReason={disabledReason} onClick={saveAgain}>
          Save it as a new file
        </Button>
        <Button onClick={onStop}>Leave it deleted</Button>
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
          Back to my text
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

function Sides({
  comparison,
  three,
  draft,
  theirs,
}: {
  readonly comparison: Comparison;
  readonly three: boolean;
  readonly draft: UnsavedEdit;
  readonly theirs: FileRecord;
}): ReactElement {
  const [unfolded, setUnfolded] = useState<ReadonlySet<number>>(new Set());
  return (
    <LineGrid
      comparison={comparison}
      sides={three ? ['folder', 'base', 'workspace'] : ['folder', 'workspace']}
      heads={{
        folder: <SideHead name="Yours" about="not saved yet" />,
        base: <SideHead name="Before" about={draft.base.revision} />,
        workspace: (
          <SideHead name="Theirs" about={theirs.revision}>
            {theirs.lastEditedAt === undefined ? null : (
              <>
                {' · '}
                <Time at={theirs.lastEditedAt} as="ago" />
              </>
            )}
          </SideHead>
        ),
      }}
      unfolded={unfolded}
      onUnfold={(piece) => setUnfolded(new Set(unfolded).add(piece))}
    />
  );
}

function SideHead({
  name,
  about,
  children = null,
}: {
  readonly name: string;
  readonly about: string;
  readonly children?: ReactElement | null;
}): ReactElement {
  return (
    <>
      <b>{name}</b>{' '}
      <span className="faint">
        {about}
        {children}
      </span>
    </>
  );
}

function Result({
  merged,
  onEdit,
}: {
  readonly merged: Merged;
  readonly onEdit: (text: string) => void;
}): ReactElement {
  const { text } = merged;
  if (text === null)
    return (
      <p className="soft">Some places are not decided yet: choose below, and the whole text stands here.</p>
    );
  return (
    <>
      <PlainLines title="Result" lines={linesOf(text)} />
      <div className="row">
        <Button icon="edit" onClick={() => onEdit(text)}>
          Edit the result
        </Button>
      </div>
    </>
  );
}

function comparisonOf(draft: UnsavedEdit, theirs: FileRecord): Comparison {
  const texts = {
    folder: linesOf(draft.text),
    base: linesOf(forField(draft.base.content)),
    workspace: linesOf(forField(theirs.content)),
  };
  return { texts, pieces: threeWayPieces(texts), mergeable: true };
}
