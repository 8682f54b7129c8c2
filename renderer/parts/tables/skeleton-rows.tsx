// Placeholder rows while a list loads.
import type { ReactElement } from 'react';

const rows = Array.from({ length: 14 }, (_, index) => ({ id: index, width: `w${(index % 4) + 1}` }));

export function SkeletonRows(): ReactElement {
  return (
    <div className="skeleton-rows" aria-hidden="true">
      {rows.map((row) => (
        <div key={row.id}>
          <span className={`skeleton ${row.width}`} />
          <span className="skeleton short" />
        </div>
      ))}
    </div>
  );
}
