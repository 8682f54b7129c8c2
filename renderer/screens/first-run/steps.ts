// The four steps of the first run, in their order.

export const steps = [
  { id: 'folder', name: 'Pick a folder', about: 'Where the files will be' },
  { id: 'workspace', name: 'Create a workspace', about: 'What agents will read and write' },
  { id: 'token', name: 'Copy a token', about: 'How they prove who they are' },
  { id: 'webhook', name: 'Send a test webhook', about: 'See a change come in' },
] as const;
export type FirstRunStep = (typeof steps)[number]['id'];
