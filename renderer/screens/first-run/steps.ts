// The steps of the first run.

export const steps = [
  { id: 'folder', name: 'Pick a folder', about: 'The folder to sync' },
  { id: 'workspace', name: 'Create a workspace', about: 'The files that agents read and write' },
  { id: 'token', name: 'Copy a token', about: 'The credential of a program' },
  { id: 'webhook', name: 'Send a test webhook', about: 'An inbound change' },
] as const;
export type FirstRunStep = (typeof steps)[number]['id'];

export interface FolderStepProps {
  readonly dir: string;
  /** `fields` of the address. */
  readonly onGo: (step: FirstRunStep, fields?: Readonly<Record<string, string>>) => void;
}
