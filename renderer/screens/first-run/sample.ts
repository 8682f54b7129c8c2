// The four files of the sample workspace.

export const sampleName = 'sample';

export const sampleFiles: readonly { readonly path: string; readonly content: string }[] = [
  {
    path: '/README.md',
    content:
      '# A sample workspace\n\nPrograms read and write these files through the API. Mirror the workspace to a folder to edit them as local files.\n',
  },
  {
    path: '/notes/today.md',
    content: '# Today\n\n- Read this through the API\n- Change it, and see it here\n',
  },
  { path: '/notes/ideas.md', content: '# Ideas\n\nA file without changes.\n' },
  { path: '/data/figures.json', content: '{\n  "apples": 3,\n  "pears": 5\n}\n' },
];
