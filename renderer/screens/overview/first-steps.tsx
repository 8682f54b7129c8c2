// Nothing is mirrored yet: what it would be, and the two ways to begin.
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
              Its files become a workspace that programs and agents read and write through the API. Changes on
              either side reach the other. First contact only adds: no file is deleted on either side.
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
            <p>
              For each program that works with the files: with its own name, its own limits and its own end.
            </p>
          </li>
          <li>
            <h3>Save a file</h3>
            <p>It shows up here at once, and so does every change that a program makes.</p>
          </li>
        </ol>
      </div>
    </section>
  );
}
