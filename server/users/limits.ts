// Limits of users, roles and invites.

const dayMs = 86_400_000;

/** Every process knows all of them, so that no request waits for a read. */
export const usersMax = 2_000;
export const rolesMax = 20_000;
export const inviteLifeMs = 7 * dayMs;
/** 192 bits: a million guesses per second find one of 2,000 open invites within its week with a probability of 2^-142. Attempts are not
 * limited, so that an attacker cannot keep an invited user out. */
export const inviteSecretBytes = 24;
/** Lifetime of a personal token that `mooring hub join` asks for, unless it names another. */
export const joinedTokenTtlSeconds = 90 * 86_400;
