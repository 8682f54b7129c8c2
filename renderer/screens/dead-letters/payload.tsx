// What the provider sent, to read and to edit. The original is never overwritten: an edit stands beside it.
import { type ReactElement, useState } from 'react';
import type { DeadLetterDetail } from '../../../sdk/index.ts';
import { count } from '../../model/format.ts';
import { Button } from '../../parts/buttons/button.tsx';
import { CopyButton } from '../../parts/buttons/copy.tsx';
import { Status } from '../../parts/feedback/status.tsx';
import { takesFocus } from '../../parts/fields/takes-focus.ts';

/** A longer payload is shown whole only when asked for. */
const shownCharacters = 20_000;

export function Payload({
  letter,
  draft,
  editing,
  why,
  onEdit,
  onDraft,
  onClose,
  onReplay,
}: {
  readonly letter: DeadLetterDetail;
  /** What was typed; null: nothing is edited. */
  readonly draft: string | null;
  /** Its field is open. */
  readonly editing: boolean;
  /** Why the draft is no payload. */
  readonly why: string | null;
  /** null: it cannot be edited. */
  readonly onEdit: (() => void) | null;
  readonly onDraft: (draft: string | null) => void;
  /** Closes the field; what was typed stays. */
  readonly onClose: () => void;
  readonly onReplay: () => void;
}): ReactElement {
  const [original, setOriginal] = useState(false);
  const edited = letter.editedPayload;
  const shown = original || edited === undefined ? letter.payload : edited;
  const text = shown === undefined ? null : JSON.stringify(shown, null, 2);
  return (
    <section className="work-section" aria-labelledby="payload-title">
      <div className="row">
        <h3 id="payload-title">Payload</h3>
        {draft === null || draft === text ? null : <Status kind="warn" word="Edited" />}
        {draft === null && edited !== undefined ? (
          // biome-ignore lint/a11y/useSemanticElements: two views of one payload, not a form's fieldset
          <span className="segments" role="group" aria-label="Which payload">
            <button type="button" aria-pressed={!original} onClick={() => setOriginal(false)}>
              Edited
            </button>
            <button type="button" aria-pressed={original} onClick={() => setOriginal(true)}>
              Original
            </button>
          </span>
        ) : null}
        <span className="end row">
          {draft === null ? null : (
            <Button kind="ghost" onClick={() => onDraft(null)}>
              Undo edits
            </Button>
          )}
          {editing || onEdit === null ? null : (
            <Button kind="ghost" icon="edit" onClick={onEdit}>
              Edit
            </Button>
          )}
          {text === null ? null : <CopyButton text={draft ?? text} what="the payload" />}
        </span>
      </div>
      {draft !== null && editing ? (
        <>
          <textarea
            ref={takesFocus}
            className="input payload-field"
            aria-label="Payload to replay, as JSON"
            aria-invalid={why !== null}
            aria-describedby="payload-note"
            spellCheck={false}
            rows={Math.min(24, draft.split('\n').length + 1)}
            value={draft}
            onChange={(event) => onDraft(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
                event.preventDefault();
                onReplay();
              } else if (event.key === 'Escape') {
                event.preventDefault();
                onClose();
              }
            }}
          />
          <p id="payload-note" className={why === null ? 'hint' : 'hint bad'}>
            {why ?? 'The original is kept beside the edit. Escape closes the field and keeps what you typed.'}
          </p>
        </>
      ) : draft !== null ? (
        <LongText text={draft} />
      ) : text === null ? (
        <p className="soft">The payload was let go when the letter was settled.</p>
      ) : (
        <LongText key={text} text={text} />
      )}
    </section>
  );
}

function LongText({ text }: { readonly text: string }): ReactElement {
  const [all, setAll] = useState(false);
  const cut = !all && text.length > shownCharacters;
  return (
    <>
      <pre className="code">{cut ? `${text.slice(0, shownCharacters)}…` : text}</pre>
      {cut ? (
        <button type="button" className="more" onClick={() => setAll(true)}>
          Show all {count(text.length)} characters
        </button>
      ) : null}
    </>
  );
}
