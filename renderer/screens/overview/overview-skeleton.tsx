// Overview before the first status.
import type { ReactElement } from 'react';

export function OverviewSkeleton({ offline }: { readonly offline: boolean }): ReactElement {
  return (
    <div className="page" aria-busy={!offline}>
      <h1 className="reader-only">Overview</h1>
      {offline ? (
        <p className="soft">No data yet. This page loads when the agent responds.</p>
      ) : (
        <div className="skeleton-rows" aria-hidden="true">
          {['w1', 'w2', 'w3'].map((width) => (
            <div key={width}>
              <span className={`skeleton ${width}`} />
              <span className="skeleton short" />
            </div>
          ))}
        </div>
      )}
    </div>
  );
}
