// What a replay would do, before it is done.
import type { ReactElement } from 'react';
import type { DeadLetterPreview } from '../../../sdk/index.ts';
import { previewView } from '../../model/inbound/dead-letter-view.ts';
import { Icon, type Meaning } from '../../parts/feedback/icon.tsx';

const icons: Record<'ok' | 'warn' | 'bad', Meaning> = { ok: 'fine', warn: 'warning', bad: 'failed' };

export function PreviewNote({
  asItIs,
  checking,
  preview,
  error,
  overwriteNewer,
  onOverwriteNewer,
}: {
  readonly asItIs: boolean;
  readonly checking: boolean;
  readonly preview: DeadLetterPreview | undefined;
  readonly error: string | null;
  readonly overwriteNewer: boolean;
  readonly onOverwriteNewer: (overwrite: boolean) => void;
}): ReactElement | null {
  if (error !== null) {
    return (
      <p className="check-note warn" role="status">
        <Icon of="warning" small />
        <span>It could not be checked. {error}</span>
      </p>
    );
  }
  if (preview === undefined) {
    return checking ? (
      <p className="check-note" role="status">
        Checking what it would do.
      </p>
    ) : null;
  }
  const view = previewView(preview);
  return (
    <div className={`check-note ${view.tone}${checking ? ' old' : ''}`} role="status">
      <Icon of={icons[view.tone]} small />
      <div>
        {asItIs ? 'Replayed as it is: ' : ''}
        <b>{asItIs ? view.effect.charAt(0).toLowerCase() + view.effect.slice(1) : view.effect}</b>.{' '}
        {view.note}
        {preview.outcome === 'stale' || overwriteNewer ? (
          <label className="check-line">
            <input
              type="checkbox"
              checked={overwriteNewer}
              onChange={(event) => onOverwriteNewer(event.target.checked)}
            />
            Apply it although something newer was applied
          </label>
        ) : null}
      </div>
    </div>
  );
}
