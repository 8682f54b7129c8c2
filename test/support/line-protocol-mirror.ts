// A process with a rig's mirror and a workspace that is written over its stdin, to be killed from outside at any moment. A line
// `{id, path, content}` is one write (`content: null`: a deletion), the line `{id}` on stdout says that it is durable.
// Arguments: the rig's base directory, the workspace.
import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { MirrorHarness } from './mirror-harness.ts';

interface Request {
  readonly id: number;
  readonly path: string;
  readonly content: string | null;
}

const [base, workspaceId] = process.argv.slice(2) as [string, string];
const rig = new MirrorHarness(base);
rig.workspaceId = workspaceId;
await rig.start();
say({ ready: true });
for await (const line of createInterface({ input: process.stdin })) void answer(JSON.parse(line) as Request);

async function answer({ id, path, content }: Request): Promise<void> {
  const result = content === null ? await rig.delete(path) : await rig.put(path, content);
  say({ id, applied: result.ok });
}

/** At once and whole: what was said before a kill has been said. */
function say(line: object): void {
  writeSync(1, `${JSON.stringify(line)}\n`);
}
