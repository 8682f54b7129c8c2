// The published contract of the reference, where its file lies beside the checkout: an answer of a route that it has must be valid by
// it, too, but for the differences that are listed here, each with its reason. It is data to check against and nothing is copied.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';

const file = path.resolve(import.meta.dirname, '../../../../shared/contract/reference-openapi-v1.yaml');

/** null: it does not lie there. */
export function referenceContract(): object | null {
  return existsSync(file) ? (parse(readFileSync(file, 'utf8')) as object) : null;
}

const withError = 'beside the fields of every error it carries `error`, which programs of the reference read';

/** `METHOD path status`, then why ours is another. */
export const referenceDifferences: ReadonlyMap<string, string> = new Map([
  [
    'POST /v1/workspaces/{workspaceId}/forks/{forkId}/commit 409',
    'no body satisfies what it describes: both parts forbid the fields of the other',
  ],
  ['POST /v1/workspaces/{workspaceId}/forks/{forkId}/commit 410', withError],
  ['POST /v1/workspaces/{workspaceId}/forks/{forkId}/rebase 410', withError],
]);

export interface OwnParameter {
  readonly route: { readonly method: string; readonly path: RegExp };
  readonly parameter: string;
}

/** Query parameters that the reference does not have, with which an answer has fields that the reference does not have. */
export const ownParameters: readonly OwnParameter[] = [
  // `plainSaves`: how many operations are omitted.
  { route: { method: 'GET', path: /^\/v1\/workspaces\/[^/]+\/ops$/ }, parameter: 'registered' },
];
