// An access token for one workspace: who, how much, how long. The token is shown once, here, and stored nowhere.
import { useMutation } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import type { AccessTokenCreateBody, AccessTokenCreated } from '../../../server/contract/workspaces.ts';
import { agentUrl } from '../../api/desktop.ts';
import { describeError, useBlocked, useServices, useStatus } from '../../api/services.ts';
import { announce } from '../../parts/announcer.tsx';
import { Button } from '../../parts/button.tsx';
import { CopyButton } from '../../parts/copy.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Field } from '../../parts/field.tsx';
import { Time } from '../../parts/time.tsx';

const dayS = 86_400;
const lifetimes = [
  { days: 1, text: 'One day' },
  { days: 30, text: '30 days' },
  { days: 365, text: 'One year' },
] as const;
const agentPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

export function TokenDialog({
  workspaceId,
  name,
  onClose,
}: {
  readonly workspaceId: string;
  readonly name: string;
  readonly onClose: () => void;
}): ReactElement {
  const { client } = useServices();
  const blocked = useBlocked();
  const [agent, setAgent] = useState('my-agent');
  const [access, setAccess] = useState<'write' | 'read'>('write');
  const [days, setDays] = useState(30);
  const mutation = useMutation({
    mutationFn: async (input: AccessTokenCreateBody) => await client.tokens.create(workspaceId, input),
    onSuccess: () => announce('The token is ready. It is shown once.'),
  });
  const agentError = agentPattern.test(agent)
    ? null
    : 'Letters, digits, dot, dash and underscore, up to 128.';
  if (mutation.data !== undefined) return <CreatedToken created={mutation.data} onClose={onClose} />;
  return (
    <Dialog title={`Access token for ${name}`} onClose={onClose}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (blocked !== null || agentError !== null || mutation.isPending) return;
          mutation.mutate({
            agent,
            ttlSeconds: days * dayS,
            ...(access === 'read' ? { scopes: ['fs:read', 'sync:read', 'ops:read'] } : {}),
          });
        }}
      >
        <div className="dialog-body">
          <Field
            label="Who uses it"
            hint="The name that stands beside its changes."
            error={agentError ?? (mutation.isError ? describeError(mutation.error) : null)}
          >
            {(wiring) => (
              <input
                {...wiring}
                className="input"
                value={agent}
                autoComplete="off"
                spellCheck={false}
                onChange={(event) => setAgent(event.target.value)}
              />
            )}
          </Field>
          <div className="field">
            <span className="label" id="token-access">
              It may
            </span>
            <Choice
              labelledBy="token-access"
              options={[
                { value: 'write', text: 'Read and write' },
                { value: 'read', text: 'Only read' },
              ]}
              value={access}
              onChange={setAccess}
            />
          </div>
          <div className="field">
            <span className="label" id="token-life">
              It ends after
            </span>
            <Choice
              labelledBy="token-life"
              options={lifetimes.map((each) => ({ value: each.days, text: each.text }))}
              value={days}
              onChange={setDays}
            />
          </div>
        </div>
        <div className="dialog-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button
            kind="primary"
            type="submit"
            blocked={blocked ?? (mutation.isPending ? 'It is being made.' : null)}
          >
            Create token
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function Choice<T extends string | number>({
  labelledBy,
  options,
  value,
  onChange,
}: {
  readonly labelledBy: string;
  readonly options: readonly { readonly value: T; readonly text: string }[];
  readonly value: T;
  readonly onChange: (value: T) => void;
}): ReactElement {
  return (
    // biome-ignore lint/a11y/useSemanticElements: buttons in a row, not a form's fieldset
    <span className="segments" role="group" aria-labelledby={labelledBy}>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          onClick={() => onChange(option.value)}
        >
          {option.text}
        </button>
      ))}
    </span>
  );
}

function CreatedToken({
  created,
  onClose,
}: {
  readonly created: AccessTokenCreated;
  readonly onClose: () => void;
}): ReactElement {
  const url = useStatus()?.url ?? agentUrl();
  const { accessToken, token } = created;
  const curl = `curl -s '${url}/v1/workspaces/${accessToken.workspaceId}/fs/tree?depth=1' -H 'Authorization: Bearer ${token}' -H 'X-Correlation-Id: first-try'`;
  return (
    <Dialog title={`Token for ${accessToken.agent}`} onClose={onClose} wide>
      <div className="dialog-body">
        <p className="soft">
          This is the only time it is shown. It ends on <Time at={accessToken.expiresAt} as="date" /> and can
          be revoked at once: <span className="mono">mooring token revoke</span>.
        </p>
        <div className="field">
          <span className="label">Token</span>
          <div className="code-line">
            <code className="code">{token}</code>
            <CopyButton text={token} what="the token" />
          </div>
        </div>
        <div className="field">
          <span className="label">Try it</span>
          <div className="code-line">
            <code className="code">{curl.replace(token, '…')}</code>
            <CopyButton text={curl} what="the command with the token" />
          </div>
        </div>
      </div>
      <div className="dialog-actions">
        <Button kind="primary" onClick={onClose}>
          I have copied it
        </Button>
      </div>
    </Dialog>
  );
}
