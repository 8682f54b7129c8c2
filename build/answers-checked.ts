// How many answers of agents a part of the tests has held against the documents of the API, and which it could not:
// test/support/answers counts them for each of its files, one JSON object a line.
import { existsSync, readFileSync } from 'node:fs';

/** Counted by the words of test/support/answers/contract.ts, in the order in which they are said. */
const unchecked: Readonly<Record<string, string>> = {
  type: 'by status and type alone',
  'too long': 'too long',
  socket: 'WebSockets by their opening alone',
  'undocumented route': 'of no route',
};

/** undefined: no agent answered. */
export function answersChecked(file: string): string | undefined {
  if (!existsSync(file)) return undefined;
  const total = new Map<string, number>();
  for (const line of readFileSync(file, 'utf8').split('\n').filter(Boolean)) {
    for (const [kind, count] of Object.entries(JSON.parse(line) as Record<string, number>))
      total.set(kind, (total.get(kind) ?? 0) + count);
  }
  const rest = Object.entries(unchecked)
    .filter(([kind]) => (total.get(kind) ?? 0) > 0)
    .map(([kind, words]) => `${total.get(kind)} ${words}`);
  const whole = (total.get('body') ?? 0) + (total.get('wrong') ?? 0);
  return [`${whole} answers held against the API`, ...rest].join(', ');
}
