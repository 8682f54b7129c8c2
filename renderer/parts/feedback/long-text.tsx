// A text to read and to copy; a long one is cut, and copying has all of it.
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
      {text.length > charactersMax ? (
        <p className="hint">The rest is not shown here; copying has it.</p>
      ) : null}
    </>
  );
}
