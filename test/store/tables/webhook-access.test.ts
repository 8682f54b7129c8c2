// The access of a webhook endpoint in its row: older rows have the parents of a delegated token under `under`.
import { expect, it } from 'vitest';
import { accessText, readAccess } from '../../../server/store/tables/feed/webhook-deliveries.ts';

const eve = { workspaceId: 'w', agent: 'eve', scopes: ['fs:read'] };
const bot = { workspaceId: 'w', agent: 'bot', scopes: [] };

it('has the stored word in the row, and the parents when it is read', () => {
  const text = accessText({ ...bot, parents: [eve] });
  expect(JSON.parse(text ?? '')).toEqual({ ...bot, under: [eve] });
  expect(readAccess(text)).toEqual({ ...bot, parents: [eve] });
});

it('has no parents without a delegated token, and nothing for the owner', () => {
  expect(readAccess(accessText(bot))).toEqual(bot);
  expect(readAccess(accessText(null))).toBeNull();
});
