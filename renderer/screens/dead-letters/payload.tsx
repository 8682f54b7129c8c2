// The payload of a dead letter, to read and to edit. An edit never replaces the original.
import { type ReactElement, useMemo, useState } from 'react';
import type { DeadLetterDetail } from '../../../sdk/index.ts';
import { count } from '../../model/format.ts';
import { PayloadText } from '../../model/inbound/payload-text.ts';
import { Button } from '../../parts/buttons/button.tsx';
import { CopyButton } from '../../parts/buttons/copy.tsx';
import { Segments } from '../../parts/buttons/segments.tsx';
import { Status } from '../../parts/feedback/status.tsx';
import { takesFocus } from '../../parts/fields/takes-focus.ts';
import type { Replay } from './use-replay.ts';

/** A longer payload is shown in full on request. */
const shownCharactersMax = 20_000;

const versions = [
  { value: 'edited', text: 'Edited' },
  { value: 'original', text: 'Original' },
] as const;

export function Payload({
  deadLetter,
  replay,
  canEdit,
}: {
  readonly deadLetter: DeadLetterDetail;
  readonly replay: Replay;
  readonly canEdit: boolean;
}): ReactElement {
  const [version, setVersion] = useState<'edited' | 'original'>('edited');
  const { editedText, isEditing } = replay;
  const edited = deadLetter.editedPayload;
  const shown = version === 'original' || edited === undefined ? deadLetter.payload : edited;
  const shownText = useMemo(() => (shown === undefined ? null : new PayloadText(shown)), [shown]);
  const text = shownText?.text ?? null;
  /** What is shown: an edit, or a version. */
  const current = editedText === null ? shownText : replay.payloadText;
  return (
    <section className="work-section" aria-labelledby="payload-title">
      <div className="row">
        <h3 id="payload-title">Payload</h3>
        {editedText === null || editedText === text ? null : <Status kind="warn" word="Edited" />}
        {editedText === null && edited !== undefined ? (
          <Segments label="Version" options={versions} value={version} onChange={setVersion} />
        ) : null}
        <span className="end row">
          {editedText === null ? null : (
            <Button kind="ghost" onClick={() => replay.setEditedText(null)}>
              Undo edits
            </Button>
          )}
          {isEditing || !canEdit ? null : (
            <Button kind="ghost" icon="edit" onClick={replay.edit}>
              Edit
            </Button>
          )}
          {current === null ? null : <CopyButton text={() => current.whole(editedText)} what="the payload" />}
        </span>
      </div>
      {editedText !== null && isEditing ? (
        <PayloadField text={editedText} replay={replay} />
      ) : editedText !== null ? (
        <LongText text={editedText} />
      ) : text === null ? (
        <p className="soft">Payload no longer retained</p>
      ) : (
        <LongText key={text} text={text} />
      )}
      {current?.note == null ? null : <p className="hint">{current.note}</p>}
    </section>
  );
}

function PayloadField({
  text,
  replay: { reading, setEditedText, closeField, replay },
}: {
  readonly text: string;
  readonly replay: Replay;
}): ReactElement {
  const error = reading !== null && !reading.ok ? reading.reason : null;
  return (
    <>
      <textarea
        ref={takesFocus}
        className="input payload-field"
        aria-label="Payload to replay, as JSON"
        aria-invalid={error !== null}
        aria-describedby="payload-note"
        spellCheck={false}
        rows={Math.min(24, text.split('\n').length + 1)}
        value={text}
        onChange={(event) => setEditedText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
            event.preventDefault();
            replay();
          } else if (event.key === 'Escape') {
            event.preventDefault();
            closeField();
          }
        }}
      />
      <p id="payload-note" className={error === null ? 'hint' : 'hint bad'}>
        {error ?? 'The original payload is retained. Press Esc to close the field; your text stays.'}
      </p>
    </>
  );
}

function LongText({ text }: { readonly text: string }): ReactElement {
  const [isComplete, setComplete] = useState(false);
  const isCut = !isComplete && text.length > shownCharactersMax;
  return (
    <>
      <pre className="code">{isCut ? `${text.slice(0, shownCharactersMax)}…` : text}</pre>
      {isCut ? (
        <button type="button" className="more" onClick={() => setComplete(true)}>
          Show all {count(text.length)} characters
        </button>
      ) : null}
    </>
  );
}
