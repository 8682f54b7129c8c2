// The form of a provider that is added or edited: its texts, what is wrong with them, and what is sent. Pure; the agent validates again.
import type {
  Provider,
  ProviderCreateBody,
  ProviderKind,
  ProviderUpdateBody,
} from '../../../server/contract/providers.ts';

/** Standard Webhooks: `whsec_` and base64 of 24 to 64 bytes. */
const secretBytes = { min: 24, max: 64 } as const;
/** As the contract bounds `timeoutMs`. */
const timeoutSeconds = { min: 0.1, max: 120 } as const;

/** The fields of a provider to which the agent sends, as they are typed. */
export interface ProviderTarget {
  readonly url: string;
  /** Empty in the form of an existing provider: it keeps its secret, which the agent never shows. */
  readonly secret: string;
  /** Empty: nothing is pulled. */
  readonly refreshUrl: string;
  /** Seconds. */
  readonly timeout: string;
  readonly plain: boolean;
  readonly local: boolean;
}

export const newTarget: ProviderTarget = {
  url: '',
  secret: '',
  refreshUrl: '',
  timeout: '10',
  plain: false,
  local: false,
};

export function targetOf(provider: Provider): ProviderTarget {
  return {
    url: provider.url ?? '',
    secret: '',
    refreshUrl: provider.refreshUrl ?? '',
    timeout: String(provider.timeoutMs / 1000),
    plain: provider.allowPlainHttp,
    local: provider.allowPrivateAddresses,
  };
}

/** What is sent; `refreshUrl: null` removes the one that the provider has. */
export function targetBody(target: ProviderTarget): ProviderUpdateBody {
  const secret = target.secret.trim();
  const refreshUrl = target.refreshUrl.trim();
  return {
    url: target.url.trim(),
    ...(secret === '' ? {} : { secret }),
    refreshUrl: refreshUrl === '' ? null : refreshUrl,
    timeoutMs: Math.round(Number(target.timeout) * 1000),
    allowPlainHttp: target.plain,
    allowPrivateAddresses: target.local,
  };
}

/** As `targetBody`, for a provider that is added: absent is what there is not. */
export function newTargetBody(target: ProviderTarget): Omit<ProviderCreateBody, 'provider' | 'kind'> {
  const { refreshUrl, ...body } = targetBody(target);
  return typeof refreshUrl === 'string' ? { ...body, refreshUrl } : body;
}

export interface TargetProblems {
  readonly url: string | null;
  readonly secret: string | null;
  readonly refreshUrl: string | null;
  readonly timeout: string | null;
}

const noProblems: TargetProblems = { url: null, secret: null, refreshUrl: null, timeout: null };

export interface ProviderProblems extends TargetProblems {
  readonly name: string | null;
}

/** Of a new provider. */
export function providerProblems(form: {
  readonly name: string;
  readonly kind: ProviderKind;
  readonly target: ProviderTarget;
}): ProviderProblems {
  const target = form.kind === 'http' ? targetProblems(form.target, { keepsSecret: false }) : noProblems;
  return { name: nameProblem(form.name), ...target };
}

export function targetProblems(
  { url, secret, refreshUrl, timeout }: ProviderTarget,
  { keepsSecret }: { readonly keepsSecret: boolean },
): TargetProblems {
  return {
    url: url.trim() === '' ? 'Enter the URL that receives the operations.' : urlProblem(url),
    secret:
      (keepsSecret && secret.trim() === '') || isSecret(secret.trim())
        ? null
        : 'Enter whsec_ and base64 of 24 to 64 bytes, or generate a secret.',
    refreshUrl: refreshUrl.trim() === '' ? null : urlProblem(refreshUrl),
    timeout: timeoutProblem(timeout.trim()),
  };
}

function nameProblem(name: string): string | null {
  if (name === '') return 'Enter the name of a top-level directory.';
  return name.includes('/') ? 'Enter one name without “/”.' : null;
}

function urlProblem(url: string): string | null {
  const parsed = URL.parse(url.trim());
  return parsed !== null && /^https?:$/.test(parsed.protocol)
    ? null
    : 'Enter a complete URL that starts with https://.';
}

function timeoutProblem(timeout: string): string | null {
  const seconds = timeout === '' ? Number.NaN : Number(timeout);
  return seconds >= timeoutSeconds.min && seconds <= timeoutSeconds.max
    ? null
    : `Enter seconds from ${timeoutSeconds.min} to ${timeoutSeconds.max}.`;
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
