// What ends with a token: endpoints and subscriptions that it registered. Their end is written in the transaction that revokes the
// token, so that neither a crash nor a restart leaves one of them active.
import type { WriteStatements } from '../../database/statements.ts';
import { withdrawDeliveries } from './subscription-deliveries.ts';
import { active, cancelled } from './subscription-rows.ts';

const namesToken = 'EXISTS (SELECT 1 FROM json_each(token_ids) WHERE value = ?)';

export function endRegistrationsOf(statements: WriteStatements, tokenId: string, atMs: number): void {
  statements.run(
    `UPDATE webhooks SET revoked_at = ? WHERE revoked_at IS NULL AND ${namesToken}`,
    atMs,
    tokenId,
  );
  const subscriptions = statements.all<{ number: number }>(
    `SELECT number FROM subscriptions WHERE status = ${active} AND ${namesToken}`,
    tokenId,
  );
  for (const { number } of subscriptions) {
    statements.run(
      `UPDATE subscriptions SET status = ${cancelled}, updated_at = ? WHERE number = ?`,
      atMs,
      number,
    );
    withdrawDeliveries(statements, number);
  }
}
