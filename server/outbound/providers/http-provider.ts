// The `http` provider: operations are POSTed, signed, to its URL, and its refresh URL is pulled. delivery/http-outcome.ts
// interprets the answers.

import { attemptResultOf, describeStatus, isSuccess } from '../../delivery/http-outcome.ts';
import { refreshPageBytesMax } from '../../delivery/limits.ts';
import { createSignedClient, jsonHeaders, type SignedClientOptions } from '../../delivery/signed-client.ts';
import type { Clock } from '../../platform/clock.ts';
import {
  aroundContent,
  jsonWithContent,
  piecesOf,
  wholeContentBytesMax,
} from '../../platform/json/content-json.ts';
import {
  type OperationPayload,
  type PayloadContent,
  type PreparedRequest,
  type Provider,
  PullFailedError,
} from './provider.ts';
import { readPulledPage } from './pulled-page.ts';

export interface HttpProviderSettings extends SignedClientOptions {
  readonly url: string;
  readonly refreshUrl: string | null;
}

export function createHttpProvider(
  settings: HttpProviderSettings,
  clock: Pick<Clock, 'delay' | 'nowMs' | 'monotonicMs'>,
): Provider {
  const { url, refreshUrl } = settings;
  const client = createSignedClient(settings, clock);
  return {
    prepare: (item) => prepare(url, item),
    async deliver(item, signal) {
      const answer = await client.post(await prepare(url, item), item.idempotencyKey, signal);
      return attemptResultOf(answer, item.action === 'file_delete', clock.nowMs());
    },
    async test(id) {
      const startedAtMs = clock.monotonicMs();
      const body = JSON.stringify({
        type: 'mooring.test',
        timestamp: new Date(clock.nowMs()).toISOString(),
        data: {},
      });
      const request = { method: 'POST', url, headers: jsonHeaders(id), body } as const;
      const answer = await client.post(request, id, new AbortController().signal);
      const tookMs = Math.round(clock.monotonicMs() - startedAtMs);
      if (answer.kind !== 'answer') {
        const message = answer.kind === 'aborted' ? 'the call was ended' : answer.message;
        return { ok: false, httpStatus: null, tookMs, message };
      }
      const ok = isSuccess(answer.status);
      const message = ok ? 'it took the test message' : describeStatus(answer);
      return { ok, httpStatus: answer.status, tookMs, message };
    },
    pull:
      refreshUrl === null
        ? null
        : async (cursor, id, signal) => {
            const from = new URL(refreshUrl);
            if (cursor !== null) from.searchParams.set('cursor', cursor);
            const answer = await client.get(from.href, id, refreshPageBytesMax, signal);
            if (answer.kind === 'aborted') throw new PullFailedError('the agent was stopped');
            if (answer.kind !== 'answer') throw new PullFailedError(answer.message);
            if (!isSuccess(answer.status)) throw new PullFailedError(describeStatus(answer));
            return await readPulledPage(answer.body);
          },
    close: () => client.close(),
  };
}

async function prepare(url: string, item: OperationPayload): Promise<PreparedRequest> {
  const { content } = item;
  const isLarge = content !== null && content.bytes.length > wholeContentBytesMax;
  const data = {
    id: item.opId,
    workspaceId: item.workspaceId,
    provider: item.provider,
    path: item.path,
    action: item.action,
    revision: `rev_${item.revision}`,
    correlationId: item.correlationId,
    /** A webhook about this change that says the same again is taken for an echo. */
    origin: 'relayfile',
    opId: item.opId,
    ...(content === null
      ? {}
      : {
          contentType: content.contentType,
          encoding: content.encoding,
          content: isLarge ? '' : textOf(content),
          contentHash: content.hash,
          ...(content.providerObjectId === null ? {} : { providerObjectId: content.providerObjectId }),
          semantics: content.semantics,
        }),
  };
  const type = item.action === 'file_delete' ? 'file.deleted' : 'file.updated';
  const body = JSON.stringify({ type, timestamp: new Date(item.madeAtMs).toISOString(), data });
  return {
    method: 'POST',
    url,
    headers: {
      ...jsonHeaders(item.idempotencyKey),
      ...(isHeaderValue(item.correlationId) ? { 'x-correlation-id': item.correlationId } : {}),
    },
    body: isLarge ? await piecesOfBody(body, content) : body,
  };
}

function textOf({ bytes, encoding }: PayloadContent): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return buffer.toString(encoding === 'utf-8' ? 'utf8' : 'base64');
}

async function piecesOfBody(body: string, { bytes, encoding }: PayloadContent): Promise<readonly Buffer[]> {
  const pieces: Buffer[] = [];
  for await (const piece of jsonWithContent(aroundContent(body), encoding, piecesOf(bytes)))
    pieces.push(piece);
  return pieces;
}

/** Correlation ids are free text; in a header only visible ASCII survives (RFC 9110, 5.5). */
function isHeaderValue(text: string): boolean {
  return /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text);
}
