// The keys of the page, and the one gate in front of them: what is open takes the keys first. No screen decides that for itself.
import { useLayoutEffect, useRef } from 'react';
import { Observable } from './api/observable.ts';

export interface KeyBinding {
  /** As the overlay shows it: `G O`, `J`, `/`, `Ctrl K`. */
  readonly keys: string;
  readonly does: string;
  readonly group: string;
}

const chordMs = 1_200;
const storageKey = 'mooring.single-keys';

/** Single letters can be switched off (WCAG 2.1.4); keys with Ctrl, arrows, Enter and Escape stay. */
export const singleKeys = new Observable<boolean>(localStorage.getItem(storageKey) !== 'off');

export function setSingleKeys(on: boolean): void {
  if (on) localStorage.removeItem(storageKey);
  else localStorage.setItem(storageKey, 'off');
  singleKeys.set(on);
}

/** What `KeyboardEvent.key` means here: `?`, `/`, `j`, `Escape`, or `mod+k`. */
function keyOf(event: KeyboardEvent): string | null {
  if (event.altKey || event.isComposing) return null;
  if (event.ctrlKey || event.metaKey) return `mod+${event.key.toLowerCase()}`;
  return event.key.length === 1 ? event.key.toLowerCase() : event.key;
}

// ---- the gate

/** While one of these is open, the page behind it takes no keys. */
const layers = '[role="dialog"], [role="alertdialog"], [role="menu"], dialog[open]';
/** While one of these is open, letters are text wherever the focus is: a merge, a payload, a file that is edited. */
const editors = 'textarea, [contenteditable]:not([contenteditable="false"])';
/** Of a field itself: its text is selected and undone, not the rows and actions of the page. */
const keysOfText = ['mod+a', 'mod+c', 'mod+v', 'mod+x', 'mod+y', 'mod+z'];

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    !(target instanceof HTMLInputElement && /^(checkbox|radio)$/.test(target.type)) &&
    (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

function isOpen(selector: string): boolean {
  return document.querySelector(selector) !== null;
}

/** Whether a key may be a shortcut of the page now. */
function isShortcut(key: string, target: EventTarget | null): boolean {
  if (isOpen(layers) || (key.length === 1 && !singleKeys.get())) return false;
  const modified = key.startsWith('mod+');
  if (isTyping(target)) return modified && !keysOfText.includes(key);
  return modified || key === 'Escape' || !isOpen(editors);
}

/** Lists and cards have letters of their own. One that is no shortcut now reaches only what is open and the field that it is typed into. */
function stopLetter(event: KeyboardEvent): void {
  const key = keyOf(event);
  const { target } = event;
  if (key === null || key.length !== 1 || key === ' ' || isTyping(target)) return;
  if (target instanceof Element && target.closest(layers) !== null) return;
  if (!isShortcut(key, target)) event.stopImmediatePropagation();
}
window.addEventListener('keydown', stopLetter, { capture: true });

// ---- the keys of a component

export type KeyHandlers = Readonly<Record<string, (event: KeyboardEvent) => void>>;

/**
 * Binds keys while the component is shown. A chord is written `g o`. Bound with the page that they belong to, not after it was
 * painted: a key that comes with the first sight of a row is meant for that row.
 */
export function useKeys(handlers: KeyHandlers): void {
  const latest = useRef(handlers);
  useLayoutEffect(() => {
    latest.current = handlers;
  });
  useLayoutEffect(() => {
    let prefix = '';
    let prefixAtMs = 0;
    const onKeyDown = (event: KeyboardEvent): void => {
      const key = keyOf(event);
      // Another part of the page has taken it: with it, a chord that was begun here as well is over.
      if (event.defaultPrevented) prefix = '';
      if (key === null || event.defaultPrevented || !isShortcut(key, event.target)) return;
      const chord = event.timeStamp - prefixAtMs < chordMs ? `${prefix} ${key}` : '';
      // A page of virtual rows cannot be searched by the browser: its filter is what finds.
      const alias = key === 'mod+f' ? '/' : key;
      const handler = latest.current[chord] ?? latest.current[key] ?? latest.current[alias];
      prefix = key;
      prefixAtMs = event.timeStamp;
      if (handler === undefined) return;
      event.preventDefault();
      handler(event);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
}
