// Converts tokens of sign-in sessions to JSON.
import type { UiToken } from '../../auth/sign-in-sessions.ts';
import type { SignInToken } from '../../contract/agent.ts';
import { wireTime } from './records.ts';

export function wireToken({ token, expiresAtMs, sessionId }: UiToken): SignInToken {
  return { token, expiresAt: wireTime(expiresAtMs), sessionId };
}
