// The preview of a replay: what it would change.
import type { ReactElement } from 'react';
import { previewView } from '../../model/inbound/dead-letter-view.ts';
import { Icon, type Meaning } from '../../parts/feedback/icon.tsx';
import type { Replay } from './use-replay.ts';

const icons: Record<'ok' | 'warn' | 'bad', Meaning> = { ok: 'fine', warn: 'warning', bad: 'failed' };

export function PreviewNote({ replay }: { readonly replay: Replay }): ReactElement | null {
  const { editedText, isChecking, preview, previewError, overwriteNewer, setOverwriteNewer } = replay;
  if (previewError !== null) {
    return (
      <p className="check-note warn" role="status">
        <Icon of="warning" small />
        <span>Preview failed. {previewError}</span>
      </p>
    );
  }
  if (preview === undefined) {
    return isChecking ? (
      <p className="check-note" role="status">
        Checking…
      </p>
    ) : null;
  }
  const view = previewView(preview);
  return (
    <div className={`check-note ${view.tone}${isChecking ? ' old' : ''}`} role="status">
      <Icon of={icons[view.tone]} small />
      <div>
        {editedText === null ? 'Without edits: ' : ''}
        <b>
          {editedText === null ? view.effect.charAt(0).toLowerCase() + view.effect.slice(1) : view.effect}
        </b>
        . {view.note}
        {preview.outcome === 'stale' || overwriteNewer ? (
          <label className="check-line">
            <input
              type="checkbox"
              checked={overwriteNewer}
              onChange={(event) => setOverwriteNewer(event.target.checked)}
            />
            Apply even though a newer event was applied
          </label>
        ) : null}
      </div>
    </div>
  );
}
