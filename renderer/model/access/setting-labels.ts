// What the agent's settings are called for people, and how their values read. Pure. A setting without words here is shown
// under its own name.
import type { AgentSetting } from '../../../server/contract/agent.ts';
import { count, plural } from '../format.ts';

const labels: Readonly<
  Record<string, { readonly name: string; readonly unit?: 'bytes' | 'days' | 'tries' }>
> = {
  listen: { name: 'Listens on' },
  allowRemote: { name: 'Other computers may connect' },
  allowHost: { name: 'Further host names' },
  importHost: { name: 'Hosts that archives come from' },
  ui: { name: 'Serves this page' },
  jwksUrl: { name: 'Keys of foreign tokens' },
  autoProvision: { name: 'Makes unknown workspaces' },
  externalWriteback: { name: 'Writeback without a provider' },
  internalHmacSecretFile: { name: 'Secret of signed envelopes' },
  maxBodyBytes: { name: 'Largest request', unit: 'bytes' },
  envelopeAttempts: { name: 'Tries of a webhook', unit: 'tries' },
  envelopeQueueSize: { name: 'Webhooks that may wait' },
  envelopeContentBytes: { name: 'Largest content of a webhook', unit: 'bytes' },
  writebackAttempts: { name: 'Tries of a writeback', unit: 'tries' },
  mirrorFileBytes: { name: 'Largest file that is mirrored', unit: 'bytes' },
  metrics: { name: 'Metrics' },
  logLevel: { name: 'Log level' },
  historyDays: { name: 'History is kept', unit: 'days' },
  historyRevisionsMin: { name: 'Revisions kept at least' },
  historyBytes: { name: 'Size of the history at most', unit: 'bytes' },
};

export function settingName(setting: AgentSetting): string {
  return labels[setting.name]?.name ?? setting.name;
}

const mebibyte = 1024 * 1024;

export function settingValue({ name, value }: AgentSetting): string {
  const unit = labels[name]?.unit;
  if (value === null || (Array.isArray(value) && value.length === 0)) return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.join(', ');
  if (typeof value === 'string') return value;
  if (unit === 'bytes')
    return value % mebibyte === 0 ? `${count(value / mebibyte)} MiB` : `${count(value)} B`;
  if (unit === 'days') return plural(value, 'day');
  return unit === 'tries' ? plural(value, 'try', 'tries') : count(value);
}
