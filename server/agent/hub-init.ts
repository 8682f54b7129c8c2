// Prepares a hub before its first start: the master key, the schema, and an owner with an invite link. Safe to repeat.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { systemClock } from '../platform/clock.ts';
import { loadConfig } from '../platform/config/config.ts';
import { createIds } from '../platform/crypto/ids.ts';
import { systemEnvironment } from '../platform/files/paths.ts';
import { createLogger } from '../platform/observe/logger.ts';
import { type Invite, UserRefusedError, Users } from '../users/service.ts';
import { openDataDir } from './data-dir.ts';
import { makeMasterKey } from './master-key.ts';
import { AgentStartError } from './start-failure.ts';

export interface HubOwner {
  readonly name: string;
  readonly email: string | null;
}

export interface PreparedHub {
  /** false: the file was there. */
  readonly keyMade: boolean;
  /** null: no owner was named, or the owner has signed in before. */
  readonly invite: Invite | null;
}

/** Throws an AgentStartError. */
export async function prepareHub(
  url: string,
  masterKeyFile: string,
  owner: HubOwner | null,
): Promise<PreparedHub> {
  const keyMade = !existsSync(masterKeyFile);
  if (keyMade) makeMasterKey(masterKeyFile);
  const dataDir = mkdtempSync(path.join(tmpdir(), 'mooring-init-'));
  try {
    const flags = { dataDir, database: url, masterKeyFile };
    const loaded = loadConfig({
      flags,
      environment: { ...systemEnvironment(), env: {} },
      readConfigFile: () => null,
    });
    if (!loaded.ok)
      throw new AgentStartError(`${url} is no address of a database.`, 'Use postgres://USER@HOST/DATABASE.');
    const store = await openDataDir(loaded.config, systemClock, createLogger({ level: 'error' }));
    try {
      const users = new Users({ store: store.users, clock: systemClock, ids: createIds() });
      await users.directory.refresh();
      return { keyMade, invite: owner === null ? null : await inviteOwner(users, owner) };
    } finally {
      await store.close();
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function inviteOwner(users: Users, { name, email }: HubOwner): Promise<Invite | null> {
  try {
    const owner = users.find(name) ?? (await users.add({ name, email, isOwner: true }));
    if (!owner.isOwner)
      throw new AgentStartError(
        `${owner.name} is a user who is no owner of the hub.`,
        'Choose another name for --owner.',
      );
    return owner.signedInAtMs === null ? await users.invite(owner.userId, null) : null;
  } catch (error) {
    if (error instanceof UserRefusedError)
      throw new AgentStartError(`The owner was not added: ${error.message}.`, 'Choose another name.', error);
    throw error;
  }
}
