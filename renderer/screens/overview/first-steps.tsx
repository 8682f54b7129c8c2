// What an empty agent needs: a folder, a token, a saved file.
import type { ReactElement } from 'react';
import { useDisabledReason } from '../../api/services.ts';
import { Button } from '../../parts/buttons/button.tsx';
import { CopyButton } from '../../parts/buttons/copy.tsx';

const command = 'mooring workspace create --name notes --mirror ~/notes';

export function FirstSteps({ onMirror }: { readonly onMirror: () => void }): ReactElement {
  const disabledReason = useDisabledReason();
  return (
    <section className="card first-steps" aria-labelledby="first-steps">
      <header>
        <h2 id="first-steps">First steps</h2>
      </header>
      <div className="card-body">
        <ol className="steps">
          <li>
            <h3>Mirror a folder</h3>
            <p>
              Programs and agents read and write the files of its workspace through the API. Changes sync both
              ways. The first sync only adds files: none are deleted on either side.
            </p>
            <Button
              kind="primary"
              icon="addFolder"
              shortcut="N"
              disabledReason={disabledReason}
              onClick={onMirror}
            >
              Mirror a folder…
            </Button>
            <div className="code-line">
              <code className="code">{command}</code>
              <CopyButton text={command} what="the command" />
            </div>
          </li>
          <li>
            <h3>Create an access token</h3>
            <p>Create one for each program, with its own name, limits and expiry.</p>
          </li>
          <li>
            <h3>Save a file</h3>
            <p>It appears here immediately, as does every change by a program.</p>
          </li>
        </ol>
      </div>
    </section>
  );
}
