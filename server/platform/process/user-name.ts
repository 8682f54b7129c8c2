// The name of the user who runs this process, as the operating system knows it.
import { userInfo } from 'node:os';

/** null: the user has no entry in the system's list of users, as in a container with an arbitrary user id. */
export function machineUserName(): string | null {
  try {
    const name = userInfo().username.trim();
    return name === '' ? null : name;
  } catch {
    return null;
  }
}
