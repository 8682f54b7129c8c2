// Serves the UI at `app://mooring/`, an origin that no web page can have. Files come from the package; the page calls the agent
// at the only URL that its Content-Security-Policy allows. Without an agent, a status page is served. Only GET of known files
// is answered; nothing outside of the UI's folder is read.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { AgentState, CrashReport } from './ipc-contract.ts';
import { statusPage, statusScript, statusStyle } from './status-page.ts';

export const appScheme = 'app';
const appHost = 'mooring';
const appOrigin = `${appScheme}://${appHost}`;
export const startUrl = `${appOrigin}/`;

/** True for a page of the app. Compares protocol and host completely: `app://mooring.example` is not one. */
export function isAppUrl(url: string): boolean {
  const parsed = URL.parse(url);
  return parsed !== null && parsed.protocol === `${appScheme}:` && parsed.host === appHost;
}

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
};

/** Allows a page its own files, and requests to `agentUrl` (null: none). */
export function contentSecurityPolicy(agentUrl: string | null): string {
  const connect = agentUrl === null ? "'none'" : `${agentUrl} ${agentUrl.replace(/^http/, 'ws')}`;
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    "img-src 'self' data: blob:",
    // PDF, audio and video of files.
    'media-src blob:',
    'frame-src blob:',
    `connect-src ${connect}`,
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

export interface AppPagesOptions {
  /** The UI as built. */
  readonly folder: string;
  readonly agent: () => AgentState;
  readonly lastCrash: () => CrashReport | null;
}

/** Serves the pages of the app and records which one was served last. */
export class AppPages {
  readonly #options: AppPagesOptions;
  #servedFor: string | null = null;

  constructor(options: AppPagesOptions) {
    this.#options = options;
  }

  /** The agent URL of the page in the window; null: the status page. */
  get servedFor(): string | null {
    return this.#servedFor;
  }

  /** Answers one request of the page. */
  async answer(request: Request): Promise<Response> {
    if (request.method !== 'GET' || !isAppUrl(request.url)) return notFound();
    const { pathname } = new URL(request.url);
    if (pathname === '/' || pathname === '/index.html') return await this.#document();
    if (pathname === '/shell/status.css') return respond(statusStyle, '.css', null);
    if (pathname === '/shell/status.js') return respond(statusScript, '.js', null);
    return await this.#file(pathname, null);
  }

  async #document(): Promise<Response> {
    const state = this.#options.agent();
    if (state.kind === 'ready') {
      this.#servedFor = state.url;
      return await this.#file('/index.html', state.url);
    }
    this.#servedFor = null;
    return respond(statusPage(state, this.#options.lastCrash()), '.html', null, 503);
  }

  async #file(pathname: string, agentUrl: string | null): Promise<Response> {
    const extension = path.posix.extname(pathname);
    // Names produced by the build: no `..`, no encoded separators.
    if (!/^(\/[\w-][\w.-]*)+$/.test(pathname) || contentTypes[extension] === undefined) return notFound();
    try {
      const bytes = await readFile(path.join(this.#options.folder, ...pathname.split('/')));
      return respond(new Uint8Array(bytes), extension, agentUrl);
    } catch (error) {
      if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'EISDIR')) {
        return notFound();
      }
      throw error;
    }
  }
}

function respond(
  body: string | Uint8Array<ArrayBuffer>,
  extension: string,
  agentUrl: string | null,
  status = 200,
): Response {
  return new Response(body, {
    status,
    headers: {
      'content-type': contentTypes[extension] ?? 'application/octet-stream',
      'content-security-policy': contentSecurityPolicy(agentUrl),
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cache-control': 'no-store',
    },
  });
}

function notFound(): Response {
  return new Response('Not found\n', { status: 404 });
}
