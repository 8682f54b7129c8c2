// Imports of GitHub source tarballs: uploaded, or fetched by the agent from an allowed host.
import { workspaceRoute } from './routes.ts';
import type { Transport } from './transport.ts';
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

  /** Writes files below `/github/repos/{owner}/{repo}/contents`. Browsers send a stream only over HTTP/2: use a Blob there. */
  async tarball(
    workspaceId: string,
    input: TarballParameters,
    archive: Uint8Array | Blob | ReadableStream<Uint8Array>,
    options?: CallOptions,
  ): Promise<TarballImported> {
    const { owner, repo, headSha, jobId } = input;
    return await this.#transport.call({
      method: 'POST',
      route: workspaceRoute(workspaceId, 'fs/import/github-tarball'),
      query: { owner, repo, headSha, jobId },
      rawBody: archive,
      rawType: 'application/gzip',
      call: options,
    });
  }

  /** Answers before the fetch. `job` returns its progress. A request for the same commit returns the same job. */
  async fetch(
    workspaceId: string,
    input: TarballFetchBody,
    options: CallOptions & { readonly githubToken?: string } = {},
  ): Promise<TarballJob> {
    const { githubToken } = options;
    return await this.#transport.call({
      method: 'POST',
      route: workspaceRoute(workspaceId, 'fs/import/github-tarball/fetch'),
      body: input,
      ...(githubToken === undefined ? {} : { headers: { 'x-github-token': githubToken } }),
      call: options,
    });
  }

  /** NotFoundError: unknown job. Jobs are lost when the agent restarts. */
  async job(workspaceId: string, jobId: string, options?: CallOptions): Promise<TarballJob> {
    const route = workspaceRoute(workspaceId, `fs/import/github-tarball/jobs/${encodeURIComponent(jobId)}`);
    return await this.#transport.call({ method: 'GET', route, call: options });
  }
}
