// Runs before the first paint, so that a dark page never flashes white. renderer/theme.ts has the rest.
{
  const choice = localStorage.getItem('mooring.theme');
  const dark =
    choice === 'dark' || (choice !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
}
