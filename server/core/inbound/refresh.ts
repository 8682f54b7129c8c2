// Decides which refreshes of a provider follow each other: pure. Each acts on the authority of its caller, so none replaces one
// that may do more. The owner's refresh includes all others.
import { type Authority, authorityText } from '../access/authority.ts';

/** Limited refreshes that wait behind the one that is due: each pulls everything. */
export const refreshesWaitingMax = 16;

interface Asked {
  readonly authority: Authority | null;
}

export interface Refreshes<Request extends Asked> {
  /** null: none is due. */
  readonly due: Request | null;
  readonly next: readonly Request[];
}

/** null: too many are waiting. A repeat of the one that is due replaces it, so that another pull follows the current one. */
export function withRefresh<Request extends Asked>(
  { due, next }: Refreshes<Request>,
  asked: Request,
): Refreshes<Request> | null {
  if (due === null) return { due: asked, next };
  if (asked.authority === null) return { due: asked, next: [] };
  // An unlimited refresh includes a limited one, and is never replaced by it.
  if (due.authority === null) return { due, next };
  if (isSame(due, asked)) return { due: asked, next };
  const waiting = next.findIndex((one) => isSame(one, asked));
  if (waiting >= 0) return { due, next: next.with(waiting, asked) };
  return next.length < refreshesWaitingMax ? { due, next: [...next, asked] } : null;
}

function isSame(first: Asked, second: Asked): boolean {
  return authorityText(first.authority) === authorityText(second.authority);
}
