// Filters rows by what an authority may read or change, by the path of each. Grants and rules are decided in core; here they are
// combined.
import { type Authority, accessOf, reaches } from '../../core/access/authority.ts';
import type { ContentReader } from './content.ts';

type Rules = Pick<ContentReader, 'allowEach'>;

/** Of each path: by the path grants and the access rules in force now. */
export async function permittedPaths(
  { allowEach }: Rules,
  workspaceId: string,
  paths: readonly string[],
  authority: Authority | null,
): Promise<readonly boolean[]> {
  if (authority === null) return paths.map(() => true);
  const allowed = await allowEach(workspaceId, paths, accessOf(authority));
  return paths.map((path, index) => allowed[index] === true && reaches(authority, path));
}

export async function permittedRows<Row extends { readonly path: string }>(
  rules: Rules,
  workspaceId: string,
  rows: readonly Row[],
  authority: Authority | null,
): Promise<readonly Row[]> {
  const paths = rows.map(({ path }) => path);
  const permitted = await permittedPaths(rules, workspaceId, paths, authority);
  return rows.filter((_, index) => permitted[index] === true);
}
