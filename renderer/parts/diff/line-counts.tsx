// Numbers of added and removed lines: `+14 −7`.
import type { ReactElement } from 'react';
import { count } from '../../model/format.ts';
import type { LineCounts } from '../../model/text/unified-diff.ts';

export function Lines({ of: { added, removed } }: { readonly of: LineCounts }): ReactElement {
  return (
    <span className="line-counts">
      <span className="added">
        +{count(added)}
        <span className="reader-only"> lines added,</span>
      </span>{' '}
      <span className="removed">
        −{count(removed)}
        <span className="reader-only"> lines removed</span>
      </span>
    </span>
  );
}
