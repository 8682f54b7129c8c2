// A text with a copy button; a long text is truncated, its copy is complete.
import type { ReactElement } from 'react';
import { CopyButton } from '../buttons/copy.tsx';

const charactersMax = 60_000;

export function LongText({ text, what }: { readonly text: string; readonly what: string }): ReactElement {
  return (
    <>
      <div className="code-line">
        <pre className="code">{text.slice(0, charactersMax)}</pre>
        <CopyButton text={text} what={what} />
      </div>
      {text.length > charactersMax ? <p className="hint">Text truncated. Copy includes all of it.</p> : null}
    </>
  );
}
