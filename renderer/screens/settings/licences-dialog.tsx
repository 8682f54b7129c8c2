// The licences of third-party packages.
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { describeError } from '../../api/services.ts';
import { Button } from '../../parts/buttons/button.tsx';
import { CopyButton } from '../../parts/buttons/copy.tsx';
import { Dialog } from '../../parts/dialogs/dialog.tsx';

export function LicencesDialog({ onClose }: { readonly onClose: () => void }): ReactElement {
  const { data, error } = useQuery({
    queryKey: ['third-party-notices'],
    queryFn: async () => (await import('../../third-party.ts')).thirdPartyNotices,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <Dialog title="Third-party licences" onClose={onClose} wide>
      {data === undefined ? (
        <p className="dialog-body soft">{error === null ? 'Loading…' : describeError(error)}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling regions must be reachable by keyboard
        <section className="dialog-body" tabIndex={0} aria-label="Licences">
          <pre className="code">{data}</pre>
        </section>
      )}
      <div className="dialog-actions">
        {data === undefined ? null : <CopyButton text={data} what="the licences" />}
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  );
}
