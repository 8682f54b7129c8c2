// Texts of a diagnostics check; the agent sends those of the command line. Pure.
import { mirrorWord } from './mirror-view.ts';

export interface CheckView {
  readonly title: string;
  /** The mirrored folder that it checks. */
  readonly path: string | null;
  readonly detail: string;
}

export function checkView({ name, detail }: { readonly name: string; readonly detail: string }): CheckView {
  const mirror = /^mirror (.+)$/s.exec(name);
  if (mirror?.[1] === undefined)
    return { title: sentenceCase(name), path: null, detail: sentenceCase(detail) };
  // The detail of a running mirror begins with its state.
  const [first = '', ...rest] = detail.split(', ');
  const word = mirrorWord(first);
  return {
    title: 'Mirror',
    path: mirror[1],
    detail: word === null ? detail : [word, ...rest].join(', '),
  };
}

/** A path or setting at the beginning keeps its case. */
function sentenceCase(text: string): string {
  return /^[a-z]+(?![\w/_])/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
}
