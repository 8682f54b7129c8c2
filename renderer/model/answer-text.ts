// The parts of an answer: words and paths. Pure.
import { shortPath } from './files/path.ts';

/** A path in an answer is not longer than this. */
const pathCharactersMax = 48;

export interface AnswerPart {
  readonly text: string;
  readonly isPath: boolean;
}

/** `Deleted /docs/a.md.`: a path begins with `/` after a space or at the start, and ends before a space or the end of its sentence. */
export function answerParts(text: string): readonly AnswerPart[] {
  return text.split(/((?<=^|\s)\/\S*[^\s.,;:])/u).flatMap((part, index) => {
    if (part === '') return [];
    return [
      index % 2 === 1
        ? { text: shortPath(part, pathCharactersMax), isPath: true }
        : { text: part, isPath: false },
    ];
  });
}
