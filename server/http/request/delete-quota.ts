// The delete quota of a token, which limits its deletions per minute.
import type { TokenService, VerifiedToken } from '../../auth/tokens.ts';
import { ApiError } from '../base/api-error.ts';
import { deleteQuotaRetryAfterSeconds } from '../base/limits.ts';

export function deleteQuotaExceeded(message: string): ApiError {
  return new ApiError('delete_storm_rejected', message, { retryAfterSeconds: deleteQuotaRetryAfterSeconds });
}

/** Throws an ApiError with the message when the quota does not cover all of the deletions. */
export function takeDeletes(
  tokens: TokenService,
  token: VerifiedToken,
  deletes: number,
  message: string,
): void {
  for (let index = 0; index < deletes; index += 1) {
    if (!tokens.takeDelete(token)) throw deleteQuotaExceeded(message);
  }
}
