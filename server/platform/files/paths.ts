// Where the agent keeps its things: the data directory of each platform and the names inside it. The store's own files are the
// store's.
import { homedir } from 'node:os';
import path from 'node:path';

export interface Surroundings {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly homeDir: string;
}

export function systemSurroundings(): Surroundings {
  return { platform: process.platform, env: process.env, homeDir: homedir() };
}

/** `$XDG_DATA_HOME/mooring` or `~/.local/share/mooring`, `~/Library/Application Support/Mooring`, `%LOCALAPPDATA%\Mooring`. */
export function defaultDataDir({ platform, env, homeDir }: Surroundings): string {
  if (platform === 'win32') {
    const local = env.LOCALAPPDATA;
    return path.win32.join(local ? local : path.win32.join(homeDir, 'AppData', 'Local'), 'Mooring');
  }
  if (platform === 'darwin') return path.posix.join(homeDir, 'Library', 'Application Support', 'Mooring');
  const shared = env.XDG_DATA_HOME;
  // XDG Base Directory Specification: a relative value is to be ignored.
  if (shared !== undefined && path.posix.isAbsolute(shared)) return path.posix.join(shared, 'mooring');
  return path.posix.join(homeDir, '.local', 'share', 'mooring');
}

/** Flag, else `MOORING_DATA_DIR`, else the platform's place. Absolute; a relative one is taken from the working directory. */
export function resolveDataDir(
  flag: string | undefined,
  around: Surroundings = systemSurroundings(),
): string {
  const named = flag ?? around.env.MOORING_DATA_DIR;
  return named === undefined || named === '' ? defaultDataDir(around) : path.resolve(named);
}

export interface DataPaths {
  readonly configFile: string;
  /** Process and address of the running agent. */
  readonly agentFile: string;
  readonly ownerTokenFile: string;
  readonly signingKeyFile: string;
  readonly providerSecretsFile: string;
  readonly webhookSecretsFile: string;
}

export function dataPaths(dataDir: string): DataPaths {
  return {
    configFile: path.join(dataDir, 'config.json'),
    agentFile: path.join(dataDir, 'agent.json'),
    ownerTokenFile: path.join(dataDir, 'owner.token'),
    signingKeyFile: path.join(dataDir, 'signing-key.json'),
    providerSecretsFile: path.join(dataDir, 'provider-secrets.json'),
    webhookSecretsFile: path.join(dataDir, 'webhook-secrets.json'),
  };
}
