// Validates the form of a new provider. Pure; the agent validates again.
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
  const isHttp = form.kind === 'http';
  return {
    name: nameProblem(form.name),
    url: isHttp ? urlProblem(form.url) : null,
    secret:
      isHttp && !isSecret(form.secret)
        ? 'Enter whsec_ and base64 of 24 to 64 bytes, or generate a secret.'
        : null,
  };
}

function nameProblem(name: string): string | null {
  if (name === '') return 'Enter the name of a top-level directory.';
  return name.includes('/') ? 'Enter one name without “/”.' : null;
}

function urlProblem(url: string): string | null {
  if (url === '') return 'Enter the URL that receives the operations.';
  const parsed = URL.parse(url);
  return parsed !== null && /^https?:$/.test(parsed.protocol)
    ? null
    : 'Enter a complete URL that starts with https://.';
}

function isSecret(secret: string): boolean {
  const encoded = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret)?.[1];
  if (encoded === undefined) return false;
  const bytes = Math.floor((encoded.replaceAll('=', '').length * 3) / 4);
  return bytes >= secretBytes.min && bytes <= secretBytes.max;
}

/** `random`: 24 to 64 unpredictable bytes. */
export function newSigningSecret(random: Uint8Array): string {
  return `whsec_${btoa(String.fromCharCode(...random))}`;
}
