// A copy button that shows a check for 1.2 s, and an id or path with such a button.
import { type ReactElement, useEffect, useState } from 'react';
import { announce, announceFailure } from '../feedback/answers.ts';
import { Icon } from '../feedback/icon.tsx';

const copiedMs = 1_200;

/** Copies text and announces the result. */
export async function copyText(text: string, what: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    announce(`Copied ${what}.`);
    return true;
  } catch (error) {
    announceFailure(`Copy failed: ${error instanceof Error ? error.message : String(error)}`);
    return false;
  }
}

export function CopyButton({
  text,
  what,
}: {
  /** A function: it is long, and made when it is copied. */
  readonly text: string | (() => string);
  readonly what: string;
}): ReactElement {
  const [copiedAt, setCopiedAt] = useState(0);
  useEffect(() => {
    if (copiedAt === 0) return;
    const timer = setTimeout(() => setCopiedAt(0), copiedMs);
    return () => clearTimeout(timer);
  }, [copiedAt]);
  const copied = copiedAt !== 0;
  return (
    <button
      type="button"
      className={copied ? 'copy done' : 'copy'}
      aria-label={`Copy ${what}`}
      title={`Copy ${what}`}
      onClick={() =>
        void copyText(typeof text === 'string' ? text : text(), what).then(
          (done) => done && setCopiedAt(Date.now()),
        )
      }
    >
      <Icon of={copied ? 'copied' : 'copy'} small />
    </button>
  );
}

/** Monospace text, truncated where necessary; tooltip and copy have all of it. */
export function Identifier({
  text,
  what,
  shown = text,
}: {
  readonly text: string;
  readonly what: string;
  readonly shown?: string;
}): ReactElement {
  return (
    <span className="identifier">
      <span className="mono ellipsis" title={text}>
        {shown}
      </span>
      <CopyButton text={text} what={what} />
    </span>
  );
}
