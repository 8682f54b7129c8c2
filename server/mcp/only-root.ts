// The paths of a call that names none: what the token may list.
import { ToolError } from './tool-error.ts';

export function onlyRoot(roots: readonly string[]): string {
  const [root, ...others] = listable(roots);
  if (root !== undefined && others.length === 0) return root;
  throw new ToolError(
    'bad_request',
    'path is missing',
    `Pass one of these paths: ${roots.slice(0, 20).join(', ')}`,
  );
}

/** A grant such as `/docs/*` or `/docs/a*` names no directory: without a path there is nothing to list, search or wait for. */
export function listable(roots: readonly string[]): readonly string[] {
  if (roots.length > 0) return roots;
  throw new ToolError(
    'bad_request',
    'path is missing, and this token may list no directory',
    'Pass the exact path of a file or directory that the token may read, or use a token for a whole directory, such as /docs/**.',
  );
}
