// The request that an operation is sent with, as it would go out.
import type { ReactElement } from 'react';
import type { WritebackPreview } from '../../../server/contract/operations.ts';
import { LongText } from './long-text.tsx';

export function RequestText({
  preview,
  provider,
}: {
  readonly preview: WritebackPreview;
  readonly provider: string;
}): ReactElement {
  const { request } = preview;
  if (request === undefined) {
    return (
      <p className="soft">
        The agent calls nobody for this item: a consumer of {provider} asks for it and acknowledges it.
      </p>
    );
  }
  const head = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`);
  return (
    <>
      <LongText
        text={`${request.method} ${request.url}\n${head.join('\n')}\n\n${request.body}`}
        what="the request"
      />
      <p className="hint">Its signature is made when it is sent.</p>
    </>
  );
}
