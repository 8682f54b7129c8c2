// The path of a call that names none: what the token may read, if that is one path.
import { ToolError } from './tool-error.ts';

export function onlyRoot(roots: readonly string[]): string {
  const [root, ...others] = roots;
  if (root !== undefined && others.length === 0) return root;
  throw new ToolError(
    'bad_request',
    'path is missing',
    `Pass one of these paths: ${roots.slice(0, 20).join(', ')}`,
  );
}
