// Checks of `doctor` for remotes: each is connected once more, whatever its loop does: reachable, certificate, token, clock, features.
import type { DiagnosticCheck } from '../platform/observe/diagnostics.ts';
import {
  type RemoteServer,
  RemoteUnauthorizedError,
  RemoteUnavailableError,
} from './client/remote-server.ts';
import { clockOffsetWarningMs, diagnosisMs, tokenExpiryWarningMs } from './limits.ts';
import type { RemoteView } from './port.ts';

export interface DiagnosisDeps {
  readonly server: Pick<RemoteServer, 'identify' | 'clockOffsetMs'>;
  readonly nowMs: number;
  readonly signal: AbortSignal;
}

export async function diagnose(remote: RemoteView, deps: DiagnosisDeps): Promise<DiagnosticCheck> {
  const name = `remote ${remote.url}`;
  if (remote.state === 'halted')
    return {
      name,
      state: 'failed',
      detail: `halted: ${remote.halt?.deletions ?? 'many'} files would be deleted`,
      next: 'Run "mooring remote resume" with --restore or --accept-deletions.',
    };
  try {
    const kind = await deps.server.identify(deps.signal);
    return connected(name, remote, kind, deps);
  } catch (error) {
    const late = new RemoteUnavailableError(`no answer within ${diagnosisMs / 1000} s`);
    return { name, ...failureOf(deps.signal.aborted ? late : error, remote) };
  }
}

function connected(
  name: string,
  { state, files, problems, tokenExpiresAtMs, tokenFile }: RemoteView,
  kind: 'mooring' | 'other',
  { server, nowMs }: DiagnosisDeps,
): DiagnosticCheck {
  const features =
    kind === 'mooring' ? 'all features' : 'without bulk reads and empty writes (docs/remotes.md)';
  const seconds = Math.round((server.clockOffsetMs ?? 0) / 1000);
  const detail = `reachable, the token is valid, ${features}, ${state === 'idle' ? 'up to date' : state}, ${files} files, ${problems} problems, clocks differ by ${Math.abs(seconds)} s`;
  if (Math.abs(seconds) * 1000 > clockOffsetWarningMs)
    return { name, state: 'warning', detail, next: 'Set the clock of this computer or of the server.' };
  if (tokenExpiresAtMs !== null && tokenExpiresAtMs - nowMs < tokenExpiryWarningMs) {
    const at = new Date(tokenExpiresAtMs).toISOString();
    return {
      name,
      state: 'warning',
      detail: `${detail}, the token expires at ${at}`,
      next: newToken(tokenFile),
    };
  }
  return { name, state: 'ok', detail };
}

function failureOf(error: unknown, { tokenFile }: RemoteView): Omit<DiagnosticCheck, 'name'> {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof RemoteUnauthorizedError)
    return { state: 'failed', detail: `the token is refused: ${message}`, next: newToken(tokenFile) };
  if (!(error instanceof RemoteUnavailableError))
    return {
      state: 'failed',
      detail: message,
      next: 'Check the address and the workspace in "mooring remote list".',
    };
  const isCertificate = /certificate|self.signed|CERT_|altname/i.test(message);
  return {
    state: 'warning',
    detail: `cannot be reached: ${message}`,
    next: isCertificate
      ? 'Start the agent with NODE_EXTRA_CA_CERTS=FILE, where FILE has the certificate of the authority that signed that of the server.'
      : 'Changes are kept here and sent when the server answers again.',
  };
}

function newToken(tokenFile: string): string {
  return `Put a new token into ${tokenFile}.`;
}
