// Requests that wait: bounded in number and time, ended by a closed connection and by the revocation of the token.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../base/api-error.ts';
import type { HttpDependencies } from '../base/dependencies.ts';
import { bearerOf } from '../plugins/auth.ts';

export class RequestWaits {
  readonly #dependencies: Pick<HttpDependencies, 'tokens' | 'clock'>;
  readonly #waitersMax: number;
  /** Ends of the waits, with the token of each. */
  readonly #ends = new Map<() => void, string | undefined>();

  constructor(dependencies: Pick<HttpDependencies, 'tokens' | 'clock'>, waitersMax: number) {
    this.#dependencies = dependencies;
    this.#waitersMax = waitersMax;
    dependencies.tokens.onRevoked(() => {
      for (const [end, bearer] of this.#ends) void this.#endRevoked(end, bearer);
    });
  }

  /** The server closes: each is answered now. */
  endAll(): void {
    for (const end of this.#ends.keys()) end();
  }

  async #endRevoked(end: () => void, bearer: string | undefined): Promise<void> {
    const isValid = await this.#dependencies.tokens.verify(bearer).then(
      ({ ok }) => ok,
      () => false,
    );
    if (!isValid) end();
  }

  /**
   * Resolves when `until` does, which must end with its signal: after `waitMs`, or when the connection or the token has ended.
   * Rejects with 401 when the token has ended meanwhile.
   */
  async run(
    request: FastifyRequest,
    reply: FastifyReply,
    waitMs: number,
    until: (signal: AbortSignal) => Promise<void>,
  ): Promise<void> {
    if (this.#ends.size >= this.#waitersMax)
      throw new ApiError('rate_limited', 'too many requests wait', { retryAfterSeconds: 1 });
    const { tokens, clock } = this.#dependencies;
    const ended = new AbortController();
    const end = () => ended.abort();
    this.#ends.set(end, bearerOf(request));
    reply.raw.once('close', end);
    void clock.delay(waitMs, ended.signal).then(end, end);
    // It may have been revoked since the request was let in, before there was anything to end.
    void this.#endRevoked(end, bearerOf(request));
    try {
      await until(ended.signal);
    } finally {
      this.#ends.delete(end);
      reply.raw.off('close', end);
      end();
    }
    const verified = await tokens.verify(bearerOf(request));
    if (!verified.ok) throw new ApiError(verified.code, verified.message);
  }
}
