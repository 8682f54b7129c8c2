// A stand-in for `electron`, as far as the shell uses it: what is asked of it is recorded, a test can play the person and
// the system, and anything that it does not know fails. It shows what the shell asks for, not what Electron makes of it.
import { EventEmitter } from 'node:events';
import type * as Electron from 'electron';

/** Fails on a name that is not there, so that nothing is used that was not thought of. */
function strict<T extends object>(name: string, parts: T): T {
  return new Proxy(parts, {
    get(target, key, receiver) {
      if (typeof key === 'string' && !(key in target) && key !== 'then' && key !== 'toJSON') {
        throw new Error(`the stand-in knows no electron.${name}.${key}`);
      }
      const value: unknown = Reflect.get(target, key, receiver === undefined ? target : target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

type Listener = (...args: unknown[]) => void;

/** The part of an event that listeners use. */
function cancellable() {
  return {
    prevented: false,
    preventDefault() {
      this.prevented = true;
    },
  };
}

export class StandInElectron {
  readonly calls: (readonly [name: string, ...args: unknown[]])[] = [];
  readonly windows: StandInWindow[] = [];
  readonly trays: StandInTray[] = [];
  readonly notifications: { readonly title: string; readonly body: string; shown: boolean }[] = [];
  readonly handlers = new Map<string, (event: unknown, ...args: unknown[]) => unknown>();
  readonly appEvents = new EventEmitter();
  readonly contentsEvents = new EventEmitter();
  /** What the person answers to the next message box. */
  messageAnswer = 0;
  lockGranted = true;
  packaged = false;
  exited = false;
  protocolHandler: ((request: Request) => Promise<Response>) | undefined;
  fork: (file: string, options: Electron.ForkOptions) => unknown = () => {
    throw new Error('the test forks nothing');
  };
  readonly paths: Record<string, string>;

  constructor(paths: Record<string, string>) {
    this.paths = paths;
  }

  note(name: string, ...args: unknown[]): void {
    this.calls.push([name, ...args]);
  }

  called(name: string): readonly (readonly unknown[])[] {
    return this.calls.filter(([called]) => called === name).map(([, ...args]) => args);
  }

  /** As Electron: asks, and when nobody objects, the app is gone. */
  quit(): void {
    this.note('app.quit');
    const event = cancellable();
    this.appEvents.emit('before-quit', event);
    if (event.prevented) return;
    for (const window of this.windows) window.close();
    this.exited = true;
  }

  /** A call of the page, as it arrives at the gate. */
  async invoke(channel: string, ...args: unknown[]): Promise<unknown> {
    const handler = this.handlers.get(channel);
    if (handler === undefined) throw new Error(`nobody handles ${channel}`);
    return await handler({ senderFrame: { url: 'app://mooring/', parent: null } }, ...args);
  }

  get module(): Record<string, unknown> {
    const note = this.note.bind(this);
    const self = this;
    return {
      app: strict('app', this.#app()),
      BrowserWindow: class extends StandInWindow {
        constructor(options: Electron.BrowserWindowConstructorOptions) {
          super(options, self);
        }
      },
      Tray: class extends StandInTray {
        constructor(image: unknown) {
          super(image, self);
        }
      },
      Notification: this.#notificationClass(),
      Menu: strict('Menu', {
        buildFromTemplate: (items: readonly Electron.MenuItemConstructorOptions[]) => items,
        setApplicationMenu: (menu: unknown) => note('Menu.setApplicationMenu', menu),
      }),
      clipboard: strict('clipboard', {
        writeText: async (text: string) => note('clipboard.writeText', text),
      }),
      dialog: strict('dialog', {
        showMessageBox: async (...args: unknown[]) => {
          note('dialog.showMessageBox', args.at(-1));
          return { response: self.messageAnswer };
        },
        showMessageBoxSync: (...args: unknown[]) => {
          note('dialog.showMessageBoxSync', args.at(-1));
          return self.messageAnswer;
        },
        showOpenDialog: async (...args: unknown[]) => {
          note('dialog.showOpenDialog', args.at(-1));
          return { canceled: false, filePaths: ['/chosen/folder'] };
        },
        showErrorBox: (title: string, detail: string) => note('dialog.showErrorBox', title, detail),
      }),
      ipcMain: strict('ipcMain', {
        handle: (channel: string, handler: (event: unknown, ...args: unknown[]) => unknown) => {
          if (self.handlers.has(channel)) throw new Error(`${channel} is handled twice`);
          self.handlers.set(channel, handler);
        },
      }),
      nativeImage: strict('nativeImage', { createFromPath: (file: string) => ({ file }) }),
      nativeTheme: strict('nativeTheme', { shouldUseDarkColors: false, on: () => undefined }),
      powerMonitor: strict('powerMonitor', {
        on: (name: string, listener: Listener) => self.appEvents.on(`power:${name}`, listener),
      }),
      protocol: strict('protocol', {
        registerSchemesAsPrivileged: (schemes: unknown) => note('protocol.register', schemes),
        handle: (scheme: string, handler: (request: Request) => Promise<Response>) => {
          note('protocol.handle', scheme);
          self.protocolHandler = handler;
        },
      }),
      safeStorage: strict('safeStorage', {
        isAsyncEncryptionAvailable: async () => false,
        getSelectedStorageBackend: () => 'basic_text',
        encryptStringAsync: async () => Buffer.alloc(0),
        decryptStringAsync: async () => ({ result: '', shouldReEncrypt: false }),
      }),
      screen: strict('screen', {
        getAllDisplays: () => [{ workArea: { x: 0, y: 0, width: 1920, height: 1080 } }],
      }),
      session: strict('session', {
        defaultSession: strict('session.defaultSession', {
          setPermissionRequestHandler: () => note('session.setPermissionRequestHandler'),
          setPermissionCheckHandler: () => note('session.setPermissionCheckHandler'),
          setDevicePermissionHandler: () => note('session.setDevicePermissionHandler'),
          on: (name: string) => note('session.on', name),
        }),
      }),
      shell: strict('shell', {
        openExternal: async (url: string) => note('shell.openExternal', url),
        openPath: async (file: string) => {
          note('shell.openPath', file);
          return '';
        },
        showItemInFolder: (file: string) => note('shell.showItemInFolder', file),
      }),
      utilityProcess: strict('utilityProcess', {
        fork: (file: string, _args: readonly string[], options: Electron.ForkOptions) =>
          self.fork(file, options),
      }),
    };
  }

  #app() {
    const note = this.note.bind(this);
    const self = this;
    return {
      get isPackaged() {
        return self.packaged;
      },
      on: (name: string, listener: Listener) => this.appEvents.on(name, listener),
      quit: () => this.quit(),
      requestSingleInstanceLock: () => this.lockGranted,
      whenReady: async () => note('app.whenReady'),
      enableSandbox: () => note('app.enableSandbox'),
      getVersion: () => '0.0.0-test',
      getPath: (name: string) => {
        const found = this.paths[name];
        if (found === undefined) throw new Error(`the stand-in has no folder ${name}`);
        return found;
      },
      setPath: (name: string, folder: string) => {
        this.paths[name] = folder;
      },
      setAsDefaultProtocolClient: (scheme: string) => note('app.setAsDefaultProtocolClient', scheme),
      getLoginItemSettings: () => ({ openAtLogin: false, wasOpenedAtLogin: false }),
      setLoginItemSettings: (settings: unknown) => note('app.setLoginItemSettings', settings),
    };
  }

  #notificationClass() {
    const { notifications } = this;
    return class {
      static isSupported() {
        return true;
      }
      readonly #own;
      constructor({ title, body }: { readonly title: string; readonly body: string }) {
        this.#own = { title, body, shown: false };
        notifications.push(this.#own);
      }
      on() {
        return this;
      }
      show() {
        this.#own.shown = true;
      }
      close() {
        this.#own.shown = false;
      }
    };
  }
}

type WindowOpenHandler = (details: { readonly url: string }) => { readonly action: string };

class StandInWindow extends EventEmitter {
  readonly options: Electron.BrowserWindowConstructorOptions;
  readonly sent: (readonly [channel: string, payload: unknown])[] = [];
  readonly webContents;
  /** What answers a page that opens a window. */
  openHandler: WindowOpenHandler | undefined;
  readonly loaded: string[] = [];
  reloads = 0;
  visible = false;
  focused = false;
  title = '';
  #destroyed = false;

  constructor(options: Electron.BrowserWindowConstructorOptions, electron: StandInElectron) {
    super();
    this.options = options;
    const contents = new EventEmitter();
    this.webContents = strict('WebContents', {
      on: contents.on.bind(contents),
      emit: contents.emit.bind(contents),
      setWindowOpenHandler: (handler: WindowOpenHandler) => {
        this.openHandler = handler;
      },
      isDestroyed: () => this.#destroyed,
      send: (channel: string, payload: unknown) => this.sent.push([channel, payload]),
      reload: () => {
        this.reloads += 1;
        // Loading a page is what asks the protocol for it.
        void electron.protocolHandler?.(new Request('app://mooring/'));
      },
    });
    electron.windows.push(this);
    electron.appEvents.emit('web-contents-created', {}, this.webContents);
  }

  async loadURL(url: string): Promise<void> {
    this.loaded.push(url);
  }
  show(): void {
    this.visible = true;
  }
  hide(): void {
    this.visible = false;
  }
  focus(): void {
    this.focused = true;
  }
  isFocused(): boolean {
    return this.focused;
  }
  isVisible(): boolean {
    return this.visible;
  }
  isMinimized(): boolean {
    return false;
  }
  isMaximized(): boolean {
    return false;
  }
  isDestroyed(): boolean {
    return this.#destroyed;
  }
  getNormalBounds() {
    return { x: 10, y: 20, width: 1000, height: 700 };
  }
  setTitle(title: string): void {
    this.title = title;
  }
  destroy(): void {
    this.#destroyed = true;
  }
  /** As a person closes it. */
  close(): void {
    const event = cancellable();
    this.emit('close', event);
    if (!event.prevented) this.#destroyed = true;
  }
}

class StandInTray extends EventEmitter {
  image: unknown;
  tip = '';
  menu: readonly Electron.MenuItemConstructorOptions[] = [];

  constructor(image: unknown, electron: StandInElectron) {
    super();
    this.image = image;
    electron.trays.push(this);
  }
  setImage(image: unknown): void {
    this.image = image;
  }
  setToolTip(tip: string): void {
    this.tip = tip;
  }
  setContextMenu(menu: readonly Electron.MenuItemConstructorOptions[]): void {
    this.menu = menu;
  }
  destroy(): void {
    this.menu = [];
  }
}
