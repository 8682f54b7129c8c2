// The HTTP request of an operation.
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
    return <p className="soft">No request: an external consumer of {provider} sends this operation.</p>;
  }
  const head = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`);
  return (
    <>
      <LongText
        text={`${request.method} ${request.url}\n${head.join('\n')}\n\n${request.body}`}
        what="the request"
      />
      <p className="hint">The signature is added when the request is sent.</p>
    </>
  );
}
