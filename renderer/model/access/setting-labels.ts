// Labels and values of the agent's settings. Pure. A setting without a label is shown under its own name.
import type { AgentSetting } from '../../../server/contract/agent.ts';
import { count, plural } from '../format.ts';

const labels: Readonly<
  Record<string, { readonly name: string; readonly unit?: 'bytes' | 'days' | 'attempts' }>
> = {
  listen: { name: 'Listen address' },
  allowRemote: { name: 'Remote access' },
  allowHost: { name: 'Additional host names' },
  importHost: { name: 'Import hosts' },
  ui: { name: 'Web UI' },
  jwksUrl: { name: 'JWKS URL' },
  autoProvision: { name: 'Automatic workspace creation' },
  externalWriteback: { name: 'External writeback' },
  database: { name: 'Database of the hub' },
  publicUrl: { name: 'Address in links' },
  masterKeyFile: { name: 'Master key file' },
  oidcIssuer: { name: 'OpenID provider' },
  oidcClientId: { name: 'Client id at the provider' },
  oidcClientSecretFile: { name: 'Client secret file' },
  internalHmacSecretFile: { name: 'Internal HMAC secret file' },
  maxBodyBytes: { name: 'Maximum request size', unit: 'bytes' },
  envelopeAttempts: { name: 'Attempts per inbound event', unit: 'attempts' },
  envelopeQueueSize: { name: 'Maximum queued inbound events' },
  envelopeContentBytes: { name: 'Maximum content of an inbound event', unit: 'bytes' },
  writebackAttempts: { name: 'Attempts per operation', unit: 'attempts' },
  mirrorFileBytes: { name: 'Maximum synced file size', unit: 'bytes' },
  metrics: { name: 'Metrics' },
  logLevel: { name: 'Log level' },
  historyDays: { name: 'History retention', unit: 'days' },
  historyRevisionsMin: { name: 'Minimum revisions per file' },
  historyBytes: { name: 'Maximum history size', unit: 'bytes' },
};

export function settingName(setting: AgentSetting): string {
  return labels[setting.name]?.name ?? setting.name;
}

const mebibyte = 1024 * 1024;

export function settingValue({ name, value }: Pick<AgentSetting, 'name' | 'value'>): string {
  const unit = labels[name]?.unit;
  if (value === null || (Array.isArray(value) && value.length === 0)) return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.join(', ');
  if (typeof value === 'string') return value;
  if (unit === 'bytes')
    return value % mebibyte === 0 ? `${count(value / mebibyte)} MiB` : `${count(value)} B`;
  if (unit === 'days') return plural(value, 'day');
  return unit === 'attempts' ? plural(value, 'attempt') : count(value);
}

/** What set the value, in the spelling of its source. */
export function settingSource({ source, flag, variable }: AgentSetting): string {
  if (source === 'flag') return flag;
  if (source === 'variable') return variable;
  return source === 'file' ? 'config.json' : 'Default';
}

/** Why a change of `config.json` would have no effect, or is not made here; null: it can be changed. */
export function unchangeableReason(setting: AgentSetting): string | null {
  if (!setting.isEditable)
    return `Decides who reaches the agent or what it serves: set ${setting.name} in config.json or ${setting.flag}.`;
  if (setting.source !== 'flag' && setting.source !== 'variable') return null;
  return `${settingSource(setting)} sets the value and wins over config.json. Start the agent without it.`;
}

/** The text of the value in a field: sizes in the largest unit. */
export function typedValue({ name, value }: Pick<AgentSetting, 'name' | 'value'>): string {
  if (typeof value !== 'number' || labels[name]?.unit !== 'bytes') return String(value);
  for (const [unit, bytes] of [
    ['GiB', 1024 * mebibyte],
    ['MiB', mebibyte],
    ['KiB', 1024],
  ] as const)
    if (value >= bytes && value % bytes === 0) return `${value / bytes}${unit}`;
  return String(value);
}
