import { createHmac } from 'node:crypto';

/** As a trusted service signs (docs/wire-contract.md#inbound-events). */
export function hmacSignature(secret: string, timestamp: string, body: Uint8Array): string {
  return createHmac('sha256', secret).update(`${timestamp}\n`).update(body).digest('hex');
}
