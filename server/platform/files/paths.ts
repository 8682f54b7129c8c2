// Locates the data directory on each platform and the files of the agent in it. The store names its own files.
import { homedir } from 'node:os';
import path from 'node:path';

export interface Environment {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly homeDir: string;
}

export function systemEnvironment(): Environment {
  return { platform: process.platform, env: process.env, homeDir: homedir() };
}

/** `$XDG_DATA_HOME/mooring` or `~/.local/share/mooring`, `~/Library/Application Support/Mooring`, `%LOCALAPPDATA%\Mooring`. */
export function defaultDataDir({ platform, env, homeDir }: Environment): string {
  if (platform === 'win32') {
    const local = env.LOCALAPPDATA;
    return path.win32.join(local ? local : path.win32.join(homeDir, 'AppData', 'Local'), 'Mooring');
  }
  if (platform === 'darwin') return path.posix.join(homeDir, 'Library', 'Application Support', 'Mooring');
  const shared = env.XDG_DATA_HOME;
  // XDG Base Directory Specification: a relative value is ignored.
  if (shared !== undefined && path.posix.isAbsolute(shared)) return path.posix.join(shared, 'mooring');
  return path.posix.join(homeDir, '.local', 'share', 'mooring');
}

/** The flag, else `MOORING_DATA_DIR`, else the platform's default. Absolute; a relative path starts at the working directory. */
export function resolveDataDir(
  flag: string | undefined,
  environment: Environment = systemEnvironment(),
): string {
  const named = flag ?? environment.env.MOORING_DATA_DIR;
  return named === undefined || named === '' ? defaultDataDir(environment) : path.resolve(named);
}

export interface DataPaths {
  readonly configFile: string;
  /** Address and process id of the running agent. */
  readonly agentFile: string;
  readonly ownerTokenFile: string;
  readonly signingKeyFile: string;
  readonly signInSessionsFile: string;
  readonly providerSecretsFile: string;
  readonly webhookSecretsFile: string;
}

export function dataPaths(dataDir: string): DataPaths {
  return {
    configFile: path.join(dataDir, 'config.json'),
    agentFile: path.join(dataDir, 'agent.json'),
    ownerTokenFile: path.join(dataDir, 'owner.token'),
    signingKeyFile: path.join(dataDir, 'signing-key.json'),
    signInSessionsFile: path.join(dataDir, 'sign-in-sessions.json'),
    providerSecretsFile: path.join(dataDir, 'provider-secrets.json'),
    webhookSecretsFile: path.join(dataDir, 'webhook-secrets.json'),
  };
}
