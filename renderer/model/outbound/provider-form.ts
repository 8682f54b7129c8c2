// What a new provider needs, judged before it is sent. Pure; the agent judges again.
import type { ProviderKind } from '../../../server/contract/providers.ts';

/** Standard Webhooks: `whsec_` and base64 of 24 to 64 bytes. */
const secretBytes = { min: 24, max: 64 } as const;

export interface ProviderProblems {
  readonly name: string | null;
  readonly url: string | null;
  readonly secret: string | null;
}

export function providerProblems(form: {
  readonly name: string;
  readonly kind: ProviderKind;
  readonly url: string;
  readonly secret: string;
}): ProviderProblems {
  const outside = form.kind === 'http';
  return {
    name: nameProblem(form.name),
    url: outside ? urlProblem(form.url) : null,
    secret: outside && !isSecret(form.secret) ? 'whsec_ and base64 of 24 to 64 bytes, or make one.' : null,
  };
}

function nameProblem(name: string): string | null {
  if (name === '') return 'Which top directory does it carry?';
  return name.includes('/') ? 'One name, without “/”.' : null;
}

function urlProblem(url: string): string | null {
  if (url === '') return 'Where are items sent?';
  const parsed = URL.parse(url);
  return parsed !== null && /^https?:$/.test(parsed.protocol)
    ? null
    : 'A whole address begins with https://.';
}

function isSecret(secret: string): boolean {
  const encoded = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret)?.[1];
  if (encoded === undefined) return false;
  const bytes = Math.floor((encoded.replaceAll('=', '').length * 3) / 4);
  return bytes >= secretBytes.min && bytes <= secretBytes.max;
}

/** `random`: 24 to 64 bytes that nobody can guess. */
export function newSigningSecret(random: Uint8Array): string {
  return `whsec_${btoa(String.fromCharCode(...random))}`;
}
