// Downloads an archive from an allowed host, following redirects to allowed hosts. Every URL is checked, each redirect again.
import { isIP } from 'node:net';
import { checkUrl } from '../../delivery/address-guard.ts';
import { createCaller } from '../../delivery/http-client.ts';
import type { Clock } from '../../platform/clock.ts';
import { packageVersion } from '../../platform/version.ts';

/** The address may not be fetched from. */
export class FetchNotAllowedError extends Error {
  override readonly name = 'FetchNotAllowedError';
}

export interface TarballAddress {
  readonly url: string;
  /** For the first host alone. */
  readonly token: string | null;
}

interface DownloadDeps {
  /** That the owner allows; none: nothing is fetched. */
  readonly hosts: readonly string[];
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

const mebibyte = 1024 * 1024;
const archiveBytesMax = 96 * mebibyte;
const fetchTimeoutMs = 300_000;
/** GitHub's API answers with the address of another of its hosts. */
const redirectsMax = 5;

export async function downloadTarball(
  { hosts, clock, signal }: DownloadDeps,
  { url, token }: TarballAddress,
): Promise<Uint8Array> {
  const first = new URL(url).host;
  let next = url;
  for (let redirects = 0; redirects <= redirectsMax; redirects += 1) {
    const { allowed, host } = allowedToFetch(hosts, next);
    const caller = createCaller(allowed, clock);
    try {
      const answer = await caller.call({
        method: 'GET',
        url: next,
        headers: {
          accept: 'application/gzip, application/octet-stream',
          'user-agent': `Mooring/${packageVersion}`,
          // The token is for the host that it was given for.
          ...(token === null || host !== first ? {} : { authorization: `Bearer ${token}` }),
        },
        body: null,
        timeoutMs: fetchTimeoutMs,
        answerBytesMax: archiveBytesMax,
        signal,
      });
      if (answer.kind === 'aborted') throw new FetchNotAllowedError('the agent was stopped');
      if (answer.kind !== 'answer') throw new FetchNotAllowedError(answer.message);
      if (answer.status >= 200 && answer.status < 300) return answer.body;
      const isRedirect = [301, 302, 303, 307, 308].includes(answer.status) && answer.location !== null;
      if (!isRedirect) throw new FetchNotAllowedError(`the host answered ${answer.status}`);
      next = URL.parse(answer.location ?? '', next)?.href ?? '';
    } finally {
      caller.close();
    }
  }
  throw new FetchNotAllowedError('there are too many redirections');
}

/** Throws where the owner does not allow the host. An address or `localhost` that is named may be private, and without TLS. */
export function allowedToFetch(
  hosts: readonly string[],
  text: string,
): { readonly allowed: Parameters<typeof createCaller>[0]; readonly host: string } {
  const url = URL.parse(text);
  const name = url?.hostname.replaceAll(/[[\]]/g, '').toLowerCase() ?? '';
  if (url === null || !hosts.includes(name)) {
    throw new FetchNotAllowedError(
      `the owner of this agent does not allow fetching from ${name === '' ? 'there' : name} (--import-host)`,
    );
  }
  const isOwn = isIP(name) !== 0 || name === 'localhost';
  const allowed = { plainHttp: isOwn, privateAddresses: isOwn };
  const checked = checkUrl(text, allowed);
  if (!checked.ok) throw new FetchNotAllowedError(`tarballUrl: ${checked.reason}`);
  return { allowed, host: checked.url.host };
}
