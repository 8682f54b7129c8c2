// Names of files that usually contain secrets. Such files are synced like any other; the mirror reports them
// (docs/sync-rules.md#17). Pure.
import { nameOf } from './path.ts';

/** Shown to others on purpose. */
const templates = new Set(['example', 'sample', 'template', 'dist', 'defaults']);

/** `.env`, `.envrc` and `.env.production`, but not `.env.example`. */
export function looksLikeSecrets(path: string): boolean {
  const name = nameOf(path);
  if (!name.startsWith('.env')) return false;
  if (name === '.env' || name === '.envrc') return true;
  const [, env, ...kinds] = name.split('.');
  return env === 'env' && kinds.length > 0 && !kinds.some((kind) => templates.has(kind));
}
