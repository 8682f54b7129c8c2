// Import of GitHub source tarballs: sent along, or fetched by the agent from a host that its owner allows.
import { workspaceRoute } from './routes.ts';
import type { RequestInput, Transport } from './transport.ts';
import type {
  CallOptions,
  TarballFetchBody,
  TarballImported,
  TarballJob,
  TarballParameters,
} from './types.ts';

export class ImportCalls {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Files below `/github/repos/{owner}/{repo}/contents`. Browsers send a stream only over HTTP/2: give them a Blob. */
  async tarball(
    workspaceId: string,
    input: TarballParameters,
    archive: Uint8Array | Blob | ReadableStream<Uint8Array>,
    options?: CallOptions,
  ): Promise<TarballImported> {
    const { owner, repo, headSha, jobId } = input;
    return await this.#call({
      method: 'POST',
      route: workspaceRoute(workspaceId, 'fs/import/github-tarball'),
      query: { owner, repo, headSha, jobId },
      rawBody: archive,
      rawType: 'application/gzip',
      call: options,
    });
  }

  /** The answer comes before the fetch; `job` tells how it goes. The same commit asked for again is the same job. */
  async fetch(
    workspaceId: string,
    input: TarballFetchBody,
    options: CallOptions & { readonly githubToken?: string } = {},
  ): Promise<TarballJob> {
    const { githubToken } = options;
    return await this.#call({
      method: 'POST',
      route: workspaceRoute(workspaceId, 'fs/import/github-tarball/fetch'),
      body: input,
      ...(githubToken === undefined ? {} : { headers: { 'x-github-token': githubToken } }),
      call: options,
    });
  }

  /** NotFoundError: unknown, or from before the agent was started last; jobs are not kept over that. */
  async job(workspaceId: string, jobId: string, options?: CallOptions): Promise<TarballJob> {
    const route = workspaceRoute(workspaceId, `fs/import/github-tarball/jobs/${encodeURIComponent(jobId)}`);
    return await this.#call({ method: 'GET', route, call: options });
  }

  async #call<T>(input: RequestInput): Promise<T> {
    return (await this.#transport.json<T>(input)).body;
  }
}
