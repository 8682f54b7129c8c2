// Indents JSON without reading its values: numbers, duplicate names and escapes stay as they are in the file. Pure.

const step = '  ';

export type FormattedJson =
  | { readonly ok: true; readonly text: string }
  /** Why it is not JSON. */
  | { readonly ok: false; readonly reason: string };

export function formatJson(text: string): FormattedJson {
  try {
    JSON.parse(text);
  } catch (error) {
    return { ok: false, reason: error instanceof Error ? error.message : String(error) };
  }
  return { ok: true, text: indented(text) };
}

/** Tokens: a string, a word or number, or one of `{}[]:,`. */
const token = /"(?:[^"\\]|\\.)*"|[{}[\]:,]|[^\s{}[\]:,"]+/g;

function indented(text: string): string {
  const out: string[] = [];
  let depth = 0;
  let before = '';
  const newLine = (): void => {
    out.push('\n', step.repeat(depth));
  };
  for (const [part] of text.matchAll(token)) {
    const isEnd = part === '}' || part === ']';
    if (isEnd) {
      depth -= 1;
      // An empty object or list stays on its line.
      if (before !== '{' && before !== '[') newLine();
    } else if (before === '{' || before === '[') newLine();
    out.push(part);
    if (part === '{' || part === '[') depth += 1;
    else if (part === ',') newLine();
    else if (part === ':') out.push(' ');
    before = part;
  }
  return out.join('');
}
