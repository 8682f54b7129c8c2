// Labels of a remote: its state, what it does, and what is typed to add one. Pure.
import type { Remote } from '../../../sdk/index.ts';
import { clock, count, plural } from '../format.ts';
import type { StatusView } from './mirror-view.ts';

export function remoteStatus(remote: Remote): StatusView {
  const { state, pendingLocal, pendingRemote, conflicts, offlineSince } = remote;
  switch (state) {
    case 'connecting':
      return { kind: 'active', word: 'Connecting' };
    case 'listing':
      return { kind: 'active', word: 'Comparing' };
    case 'syncing':
      if (pendingLocal > 0) return { kind: 'active', word: `Sending ${count(pendingLocal)}` };
      return {
        kind: 'active',
        word: pendingRemote > 0 ? `Receiving ${count(pendingRemote)}` : 'Syncing',
      };
    case 'idle':
      if (conflicts > 0) return { kind: 'warn', word: plural(conflicts, 'conflict') };
      return { kind: 'ok', word: 'Up to date' };
    case 'offline':
      return {
        kind: 'paused',
        word:
          offlineSince === null ? 'Offline' : `Offline since ${clock(Date.parse(offlineSince)).slice(0, 5)}`,
      };
    case 'unauthorized':
      return { kind: 'failed', word: 'No access' };
    case 'halted':
      return { kind: 'halted', word: 'Halted' };
    case 'paused':
      return { kind: 'paused', word: 'Paused' };
    case 'error':
      return { kind: 'failed', word: 'Error' };
  }
}

/** `hub.example.com` */
export function remoteHost({ url }: Pick<Remote, 'url'>): string {
  return URL.canParse(url) ? new URL(url).host : url;
}

/** Nothing is synced until a person acts. */
export function needsYou({ state }: Pick<Remote, 'state'>): boolean {
  return state === 'halted' || state === 'unauthorized' || state === 'error';
}

export interface RemoteForm {
  readonly url: string;
  readonly remoteWorkspaceId: string;
  readonly tokenFile: string;
  readonly path: string;
  /** In gitignore syntax. */
  readonly ignoreRules: string;
  readonly insecureHttp: boolean;
}

export type RemoteFormProblems = Readonly<Record<keyof RemoteForm, string | null>>;

export function remoteProblems(form: RemoteForm): RemoteFormProblems {
  const isPlain = needsInsecureHttp(form.url);
  return {
    url: urlProblem(form.url),
    remoteWorkspaceId: /^(?:[A-Za-z0-9][\w-]{0,255})?$/.test(form.remoteWorkspaceId)
      ? null
      : 'Enter the ID of the workspace, for example rw_1a2b3c.',
    tokenFile: form.tokenFile === '' ? 'Enter the path of the file with the token.' : null,
    ignoreRules: null,
    path: form.path === '' || form.path.startsWith('/') ? null : 'Enter a path that starts with “/”.',
    insecureHttp:
      isPlain && !form.insecureHttp ? 'Without encryption, others on the network can read the token.' : null,
  };
}

function urlProblem(url: string): string | null {
  const isHttp = URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
  return isHttp ? null : 'Enter the address of the server, for example https://hub.example.com.';
}

/** An address without encryption beyond this computer. */
export function needsInsecureHttp(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return protocol === 'http:' && !/^(localhost|127\.[\d.]+|\[::1\])$/.test(hostname);
}
