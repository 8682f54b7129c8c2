// Shows the diagnostics bundle before it is saved or copied; nothing sends it.
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useServices } from '../../api/services.ts';
import { size } from '../../model/format.ts';
import { Button } from '../../parts/buttons/button.tsx';
import { copyText } from '../../parts/buttons/copy.tsx';
import { saveAs } from '../../parts/buttons/save-as.ts';
import { Dialog } from '../../parts/dialogs/dialog.tsx';
import { announce } from '../../parts/feedback/answers.ts';
import { FailureText } from '../../parts/feedback/note.tsx';

export function BundleDialog({ onClose }: { readonly onClose: () => void }): ReactElement {
  const { client } = useServices();
  const { data, error } = useQuery({
    queryKey: ['diagnostics', 'bundle'],
    queryFn: async ({ signal }) => await client.agent.diagnosticsBundle({ signal }),
    gcTime: 0,
  });
  const text = data === undefined ? null : `${JSON.stringify(data, null, 2)}\n`;
  const notReady =
    text === null ? (error === null ? 'Creating bundle…' : 'The bundle could not be created.') : null;
  const name = `mooring-diagnostics-${(data?.madeAt ?? '').slice(0, 10)}.json`;
  return (
    <Dialog title="Diagnostics bundle" onClose={onClose} wide>
      <div className="dialog-body">
        <p className="soft">
          The complete bundle{text === null ? '' : `, ${size(new Blob([text]).size)}`}. It is not sent
          anywhere: save or copy it.
        </p>
        <FailureText error={error} />
        <section
          className="code bundle-text"
          aria-label="Content of the bundle"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling regions must be reachable by keyboard
          tabIndex={0}
        >
          {text ?? 'Checking the store and the folders…'}
        </section>
      </div>
      <div className="dialog-actions">
        <Button onClick={onClose}>Close</Button>
        <Button
          icon="copy"
          disabledReason={notReady}
          onClick={() => text !== null && void copyText(text, 'the bundle')}
        >
          Copy
        </Button>
        <Button
          kind="primary"
          icon="download"
          disabledReason={notReady}
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
