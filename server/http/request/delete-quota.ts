// The delete quota of a token, which limits its deletions per minute.
import type { TokenService, VerifiedToken } from '../../auth/tokens.ts';
import { ApiError } from '../base/api-error.ts';
import { deleteQuotaRetryAfterSeconds } from '../base/limits.ts';

export function deleteQuotaExceeded(message: string): ApiError {
  return new ApiError('delete_storm_rejected', message, { retryAfterSeconds: deleteQuotaRetryAfterSeconds });
}

/** Rejects with an ApiError with the message when the quota does not cover all of the deletions. */
export async function takeDeletes(
  tokens: TokenService,
  token: VerifiedToken,
  deletes: number,
  message: string,
): Promise<void> {
  if (deletes > 0 && !(await tokens.takeDeletes(token, deletes))) throw deleteQuotaExceeded(message);
}
