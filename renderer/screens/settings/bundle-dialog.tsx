// The diagnostics bundle, looked at before it is saved or copied. It leaves the page only by the person's hand.
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { describeError, useServices } from '../../api/services.ts';
import { size } from '../../model/format.ts';
import { Button } from '../../parts/buttons/button.tsx';
import { copyText } from '../../parts/buttons/copy.tsx';
import { saveAs } from '../../parts/buttons/save-as.ts';
import { Dialog } from '../../parts/dialogs/dialog.tsx';
import { announce } from '../../parts/feedback/announcer.tsx';

export function BundleDialog({ onClose }: { readonly onClose: () => void }): ReactElement {
  const { client } = useServices();
  const { data, error } = useQuery({
    queryKey: ['diagnostics', 'bundle'],
    queryFn: async ({ signal }) => await client.diagnosticsBundle({ signal }),
    staleTime: 0,
    gcTime: 0,
  });
  const text = data === undefined ? null : `${JSON.stringify(data, null, 2)}\n`;
  const waiting = text === null ? (error === null ? 'It is being made.' : 'It could not be made.') : null;
  const name = `mooring-diagnostics-${(data?.madeAt ?? '').slice(0, 10)}.json`;
  return (
    <Dialog title="Diagnostics bundle" onClose={onClose} wide>
      <div className="dialog-body">
        <p className="soft">
          This is all of it{text === null ? '' : `, ${size(new Blob([text]).size)}`}. It stays here until you
          save it or copy it.
        </p>
        {error === null ? null : (
          <p className="hint bad" role="alert">
            {describeError(error)}
          </p>
        )}
        <section
          className="code bundle-text"
          aria-label="What the bundle holds"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling regions must be reachable by keyboard
          tabIndex={0}
        >
          {text ?? 'Looking through the store and the folders…'}
        </section>
      </div>
      <div className="dialog-actions">
        <Button onClick={onClose}>Close</Button>
        <Button
          icon="copy"
          disabledReason={waiting}
          onClick={() => text !== null && void copyText(text, 'the bundle')}
        >
          Copy
        </Button>
        <Button
          kind="primary"
          icon="download"
          disabledReason={waiting}
          onClick={() => {
            if (text === null) return;
            saveAs(new Blob([text], { type: 'application/json' }), name);
            announce(`Saved as ${name}.`);
          }}
        >
          Save
        </Button>
      </div>
    </Dialog>
  );
}
