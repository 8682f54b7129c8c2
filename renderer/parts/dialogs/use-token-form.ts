// The values of the form of a new token, their problems, and the request that they make.
import { useState } from 'react';
import type { AccessTokenCreateBody } from '../../../server/contract/workspaces.ts';
import { type MatchingFiles, useMatchingFiles } from '../../api/matching-files.ts';
import { pathProblem } from '../../model/access/token-path.ts';
import { type Access, type Scope, scopePresets } from '../../model/access/token-view.ts';

const dayS = 86_400;
const agentPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;
const deletesMax = 1_000_000;

export interface TokenValues {
  readonly agent: string;
  readonly access: Access;
  /** Selected in the custom access. */
  readonly scopes: readonly Scope[];
  /** A folder, a file or a pattern, as typed. */
  readonly folder: string;
  readonly days: number;
  readonly deletes: string;
}

export interface TokenForm {
  readonly values: TokenValues;
  readonly errors: Readonly<Record<'agent' | 'scopes' | 'folder' | 'deletes', string | null>>;
  readonly grantable: readonly Scope[];
  readonly matching: MatchingFiles | undefined;
  /** null: a value is invalid, or the files of the folder are not known yet. */
  readonly body: AccessTokenCreateBody | null;
  readonly change: (change: Partial<TokenValues>) => void;
}

/** `grantable`: what the viewer can give in the workspace. */
export function useTokenForm(workspaceId: string, grantable: readonly Scope[]): TokenForm {
  const [values, setValues] = useState<TokenValues>({
    agent: 'my-agent',
    access: 'full',
    scopes: scopePresets.full,
    folder: '',
    days: 30,
    deletes: '',
  });
  const { agent, days, deletes } = values;
  const access = values.access === 'full' && !grantable.includes('fs:write') ? 'read' : values.access;
  const folder = access === 'full' ? '' : values.folder.trim();
  const { data } = useMatchingFiles(workspaceId, folder);
  const matching = data?.typed === folder ? data : undefined;
  const scopes = (access === 'custom' ? values.scopes : scopePresets[access]).filter((scope) =>
    grantable.includes(scope),
  );
  const hasFileScope = scopes.some((scope) => scope.startsWith('fs:'));
  const errors = {
    agent: agentPattern.test(agent) ? null : 'Use up to 128 letters, digits, dots, dashes and underscores.',
    scopes: scopes.length === 0 ? 'Select at least one scope.' : null,
    folder:
      pathProblem(folder) ??
      (folder !== '' && !hasFileScope ? 'A folder requires the scope fs:read or fs:write.' : null),
    deletes: deletesProblem(deletes),
  };
  const needsFolder = access === 'folder' && (folder === '' || folder === '/');
  const isValid = Object.values(errors).every((error) => error === null) && !needsFolder;
  const isKnown = folder === '' || matching !== undefined;
  const path = folder === '' ? null : (matching?.pattern ?? null);
  const body = {
    agent,
    scopes: [...scopes],
    ttlSeconds: days * dayS,
    ...(path === null ? {} : { path }),
    ...(deletes === '' ? {} : { deletesPerMinute: Number(deletes) }),
  };
  return {
    values: { ...values, access, scopes: access === 'custom' ? scopes : values.scopes },
    grantable,
    errors,
    matching,
    body: isValid && isKnown ? body : null,
    change: (change) => setValues((before) => ({ ...before, ...change })),
  };
}

function deletesProblem(text: string): string | null {
  if (text === '') return null;
  const value = Number(text);
  const isValid = /^\d+$/.test(text) && value >= 1 && value <= deletesMax;
  return isValid ? null : 'Enter a whole number from 1 to 1,000,000.';
}
