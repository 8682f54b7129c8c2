// Close codes of a WebSocket stream (docs/wire-contract.md#websockets; RFC 6455, 7.4.1; 4410 is Mooring's own).

export const closeCodes = {
  /** The agent is stopping. */
  goingAway: 1001,
  /** A frame of the client is not JSON. */
  invalidPayload: 1007,
  /** The token was revoked or has expired, or the workspace was deleted. */
  policyViolation: 1008,
  internalError: 1011,
  /** The client reads too slowly, or the agent cannot check its token at the moment: reconnect from the cursor. */
  tryAgainLater: 1013,
  /** Events after the cursor are no longer retained. */
  cursorExpired: 4410,
} as const;
