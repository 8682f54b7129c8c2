// Which refreshes of a provider follow each other: pure. Each acts on the authority of whoever asked, so none stands in for one that
// may do more. The owner's brings all that others would.
import { type Authority, authorityText } from '../access/authority.ts';

/** Limited ones that wait behind the one that is due: each is a pull of everything. */
export const refreshesWaitingMax = 16;

interface Asked {
  readonly authority: Authority | null;
}

export interface Refreshes<Request extends Asked> {
  /** null: none is due. */
  readonly due: Request | null;
  readonly next: readonly Request[];
}

/** null: too many wait already. A repeat of who is due takes its place, so that another pull follows the one under way. */
export function withRefresh<Request extends Asked>(
  { due, next }: Refreshes<Request>,
  asked: Request,
): Refreshes<Request> | null {
  if (due === null) return { due: asked, next };
  if (asked.authority === null) return { due: asked, next: [] };
  // One that nothing limits brings all that a limited one would; it must not give way to it.
  if (due.authority === null) return { due, next };
  if (isSame(due, asked)) return { due: asked, next };
  const waiting = next.findIndex((one) => isSame(one, asked));
  if (waiting >= 0) return { due, next: next.with(waiting, asked) };
  return next.length < refreshesWaitingMax ? { due, next: [...next, asked] } : null;
}

function isSame(first: Asked, second: Asked): boolean {
  return authorityText(first.authority) === authorityText(second.authority);
}
