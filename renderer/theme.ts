// The theme: light, dark or system. `public/theme.js` applies it before the first paint; this file changes it.
import { Observable } from './api/observable.ts';

export type Theme = 'light' | 'dark' | 'system';

const storageKey = 'mooring.theme';
const dark = window.matchMedia('(prefers-color-scheme: dark)');

function stored(): Theme {
  const value = localStorage.getItem(storageKey);
  return value === 'light' || value === 'dark' ? value : 'system';
}

export const theme = new Observable<Theme>(stored());

function apply(): void {
  const choice = theme.get();
  const isDark = choice === 'dark' || (choice === 'system' && dark.matches);
  document.documentElement.dataset.theme = isDark ? 'dark' : 'light';
}

export function setTheme(choice: Theme): void {
  if (choice === 'system') localStorage.removeItem(storageKey);
  else localStorage.setItem(storageKey, choice);
  theme.set(choice);
  apply();
}

dark.addEventListener('change', apply);
