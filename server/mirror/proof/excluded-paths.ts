// Which paths of a mirror differ for a reason that is listed: conflicts, what could not be done, what cannot or must not be in
// the folder. The proof of equality leaves them out, with all below them, and counts them. Reads only; no I/O.
import type { SyncSession } from '../cycle/session.ts';

export function excludedPaths(session: SyncSession): ReadonlySet<string> {
  const paths = new Set<string>();
  for (const { path, copyPath } of session.conflicts) paths.add(path).add(copyPath);
  for (const { path, failure } of session.problems.list()) {
    paths.add(path);
    if (failure.holds !== undefined) paths.add(failure.holds);
  }
  for (const path of session.undurable) paths.add(path);
  for (const path of session.kept) paths.add(path);
  for (const path of session.trees.candidates()) {
    const file = session.trees.workspaceAt(path);
    if (session.trees.localAt(path)?.kind === 'blocked') paths.add(path);
    else if (file !== null && (session.isIgnored(path) || session.unsyncable.reason(path, file) !== null))
      paths.add(path);
  }
  return paths;
}
