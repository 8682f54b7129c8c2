// Keyboard shortcuts, and the only place that decides when a key is one: open dialogs, menus and editors take keys first.
import { useLayoutEffect, useRef } from 'react';
import { Observable } from './api/observable.ts';

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

// ---- when a key is a shortcut

/** While one of these is open, the page behind it has no shortcuts. */
const layers = '[role="dialog"], [role="alertdialog"], [role="menu"], dialog[open]';
/** While one of these is open, letters are text wherever the focus is. */
const editors = 'textarea, [contenteditable]:not([contenteditable="false"])';
/** These act on the text of a field, not on rows and actions of the page. */
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

/** Lists and cards handle letters themselves: one that is not a shortcut now reaches only open layers and the field with the focus. */
function stopSingleKey(event: KeyboardEvent): void {
  const key = keyOf(event);
  const { target } = event;
  if (key === null || key.length !== 1 || key === ' ' || isTyping(target)) return;
  if (target instanceof Element && target.closest(layers) !== null) return;
  if (!isShortcut(key, target)) event.stopImmediatePropagation();
}
window.addEventListener('keydown', stopSingleKey, { capture: true });

// ---- the keys of a component

export type KeyHandlers = Readonly<Record<string, (event: KeyboardEvent) => void>>;

/**
 * Binds keys while the component is mounted. A chord is written `g o`. Bound in a layout effect, so that a key pressed
 * immediately after the first paint already acts.
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
      // Another component has handled the key; that also ends a chord.
      if (event.defaultPrevented) prefix = '';
      if (key === null || event.defaultPrevented) return;
      const chord = event.timeStamp - prefixAtMs < chordMs ? `${prefix} ${key}` : '';
      // The browser cannot search virtual rows, so Ctrl+F focuses the filter.
      const alias = key === 'mod+f' ? '/' : key;
      const handlers = latest.current;
      const handler = handlers[chord] ?? handlers[key] ?? handlers[alias];
      const isPrefix = Object.keys(handlers).some((bound) => bound.startsWith(`${key} `));
      // To look for what is open takes a tenth of a millisecond, and a page binds keys in thirty places.
      if ((handler === undefined && !isPrefix) || !isShortcut(key, event.target)) {
        prefix = '';
        return;
      }
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
