// Draws the tray icon and menu of the tray model; tray-actions.ts runs the actions.
import { Menu, type MenuItemConstructorOptions, nativeImage, nativeTheme, Tray } from 'electron';
import type { TrayAction, TrayItem, TrayModel } from './tray-model.ts';

export interface TrayIconOptions {
  /** Contains `tray-<state>Template.png` (dark, with `@2x`) and `tray-<state>-light.png`. */
  readonly iconFolder: string;
  readonly platform: NodeJS.Platform;
  readonly onAction: (action: TrayAction) => void;
}

export class TrayIcon {
  readonly #options: TrayIconOptions;
  readonly #tray: Tray;
  #shown = '';
  #notice: string | null = null;
  #model: TrayModel;

  constructor(options: TrayIconOptions, model: TrayModel) {
    this.#options = options;
    this.#model = model;
    this.#tray = new Tray(nativeImage.createFromPath(this.#iconFile()));
    // On macOS a click opens the menu.
    if (options.platform !== 'darwin') {
      this.#tray.on('click', () => options.onAction({ kind: 'open-window' }));
    }
    nativeTheme.on('updated', () => this.#draw());
    this.#draw();
  }

  show(model: TrayModel): void {
    this.#model = model;
    this.#draw();
  }

  /** Takes the place of the state's line while it lasts. */
  setNotice(notice: string | null): void {
    this.#notice = notice;
    this.#draw();
  }

  destroy(): void {
    this.#tray.destroy();
  }

  /** Setting a menu closes an open one, so it is set only after a change. */
  #draw(): void {
    const icon = this.#iconFile();
    const line = this.#notice ?? this.#model.line;
    const shown = JSON.stringify([icon, line, this.#model.items]);
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.#tray.setImage(nativeImage.createFromPath(icon));
    this.#tray.setToolTip(`Mooring: ${line}`);
    this.#tray.setContextMenu(Menu.buildFromTemplate(this.#model.items.map((item) => this.#menuItem(item))));
  }

  /** macOS colours a template image; elsewhere the theme suggests the panel's colour. */
  #iconFile(): string {
    const { iconFolder, platform } = this.#options;
    const light = platform !== 'darwin' && nativeTheme.shouldUseDarkColors;
    return `${iconFolder}/tray-${this.#model.state}${light ? '-light' : 'Template'}.png`;
  }

  #menuItem(item: TrayItem): MenuItemConstructorOptions {
    switch (item.kind) {
      case 'separator':
        return { type: 'separator' };
      case 'text':
        return { label: this.#notice ?? item.label, enabled: false };
      case 'action':
        return { label: item.label, click: () => this.#options.onAction(item.action) };
      case 'menu':
        return { label: item.label, submenu: item.items.map((inner) => this.#menuItem(inner)) };
    }
  }
}
