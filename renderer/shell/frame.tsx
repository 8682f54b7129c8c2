// The frame of the page while it signs in: what is in index.html from the first paint, so that nothing moves when the shell takes its place.
import type { ReactElement } from 'react';
import { Icon } from '../parts/feedback/icon.tsx';

export function Frame(): ReactElement {
  return (
    <div className="shell frame" aria-hidden="true">
      <div className="top">
        <div className="brand">
          <Icon of="mooring" />
          <span>Mooring</span>
        </div>
      </div>
      <div className="side" />
      <main />
    </div>
  );
}
