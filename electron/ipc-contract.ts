// Every IPC channel of the desktop app, once, with its types: shared by the main process, the preload script and
// (as types) the renderer. Nothing here runs. A browser has none of this: there `window.mooring` is undefined.

/** What the agent's process is doing, as the supervisor sees it. */
export type AgentState =
  | { readonly kind: 'starting' }
  | { readonly kind: 'ready'; readonly url: string }
  | {
      readonly kind: 'restarting';
      readonly attempt: number;
      readonly delayMs: number;
      readonly reason: string;
    }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'stopped' };

/** The last end of the agent that nobody asked for. */
export interface CrashReport {
  readonly reason: string;
  /** RFC 3339. */
  readonly at: string;
  /** Ends in a row, this one included. */
  readonly failures: number;
  /** What the agent said last, oldest first. It never says tokens or contents. */
  readonly lastLines: readonly string[];
  /** Where the same stands on the disk; null when it could not be written. */
  readonly file: string | null;
}

export interface FolderQuestion {
  /** What the folder is for, as the title of the dialog. */
  readonly title?: string;
  /** Where the dialog begins; ignored when it is not there. */
  readonly startIn?: string;
}

/** A file or folder by workspace, never by a path of the disk: the page cannot name anything outside of a mirror. */
export interface MirroredPlace {
  readonly workspaceId: string;
  /** Workspace path, beginning with `/`; `/` is the mirrored folder itself. */
  readonly path: string;
}

/** `next` is what the person can do; both are sentences to be shown. */
export type PlaceAnswer =
  | { readonly ok: true }
  | { readonly ok: false; readonly cause: string; readonly next: string };

/** How the secrets of providers are kept. `why` and `next` are sentences to be shown. */
export type SecretsProtection =
  | { readonly kind: 'system-keychain' }
  | { readonly kind: 'file-permissions'; readonly why: string };

export type UpdateState =
  /** No feed address is configured: nothing is ever asked for. */
  | { readonly kind: 'off'; readonly why: string }
  | { readonly kind: 'idle'; readonly checkedAt: string | null }
  | { readonly kind: 'checking' }
  | { readonly kind: 'downloading'; readonly version: string; readonly percent: number }
  /** Installed when the app quits, or at once on request. */
  | { readonly kind: 'downloaded'; readonly version: string }
  | { readonly kind: 'failed'; readonly cause: string; readonly checkedAt: string };

/** All that Settings shows about this app on this computer. */
export interface DesktopState {
  readonly version: string;
  readonly startAtLogin: {
    readonly on: boolean;
    /** Why it cannot be changed here; null when it can. */
    readonly unavailable: string | null;
  };
  /** Closing the window leaves the app in the tray, or ends it. */
  readonly keepRunning: { readonly on: boolean; readonly unavailable: string | null };
  readonly notifications: { readonly on: boolean; readonly unavailable: string | null };
  readonly secrets: SecretsProtection;
  readonly updates: UpdateState;
}

/** One or more of the things that a person can change. */
export interface DesktopChange {
  readonly startAtLogin?: boolean;
  readonly keepRunning?: boolean;
  readonly notifications?: boolean;
}

/** Asked by the page, answered by the main process. */
export interface Invocations {
  'agent:state': { readonly args: readonly []; readonly result: AgentState };
  /** Starts an agent that was given up on; does nothing to one that runs. */
  'agent:revive': { readonly args: readonly []; readonly result: AgentState };
  'agent:crash': { readonly args: readonly []; readonly result: CrashReport | null };
  /** A single-use sign-in code for this page; null while there is no agent to make one. */
  'agent:sign-in-code': { readonly args: readonly []; readonly result: string | null };
  /** The folder that was chosen; null when the dialog was cancelled. */
  'folder:choose': { readonly args: readonly [FolderQuestion]; readonly result: string | null };
  'place:reveal': { readonly args: readonly [MirroredPlace]; readonly result: PlaceAnswer };
  'place:open': { readonly args: readonly [MirroredPlace]; readonly result: PlaceAnswer };
  /** Whether the page holds text that is not saved: asked about before the app quits. */
  'page:unsaved': { readonly args: readonly [boolean]; readonly result: null };
  'desktop:state': { readonly args: readonly []; readonly result: DesktopState };
  'desktop:change': { readonly args: readonly [DesktopChange]; readonly result: DesktopState };
  'updates:check': { readonly args: readonly []; readonly result: UpdateState };
  /** Quits, installs what was downloaded and starts again; refused (false) when there is nothing. */
  'updates:install': { readonly args: readonly []; readonly result: boolean };
}

/** Told by the main process to the page. */
export interface Broadcasts {
  'agent:state-changed': AgentState;
  'desktop:state-changed': DesktopState;
  /** Go to this place of the page, as after `#`: from the tray, a notification or a mooring:// link. */
  'page:go': string;
}

export type InvocationChannel = keyof Invocations;
export type BroadcastChannel = keyof Broadcasts;

/** What the page sees as `window.mooring`; absent in a browser. A function that subscribes returns the one that ends it. */
export interface MooringBridge {
  readonly platform: 'darwin' | 'win32' | 'linux';
  agentState(): Promise<AgentState>;
  reviveAgent(): Promise<AgentState>;
  lastCrash(): Promise<CrashReport | null>;
  signInCode(): Promise<string | null>;
  chooseFolder(question: FolderQuestion): Promise<string | null>;
  /** Shows it in the file manager. */
  reveal(place: MirroredPlace): Promise<PlaceAnswer>;
  /** Opens it with the program that the system has for it; never runs it. */
  open(place: MirroredPlace): Promise<PlaceAnswer>;
  holdsUnsaved(holds: boolean): Promise<null>;
  desktopState(): Promise<DesktopState>;
  changeDesktop(change: DesktopChange): Promise<DesktopState>;
  checkForUpdates(): Promise<UpdateState>;
  installUpdate(): Promise<boolean>;
  onAgentState(listener: (state: AgentState) => void): () => void;
  onDesktopState(listener: (state: DesktopState) => void): () => void;
  onGo(listener: (place: string) => void): () => void;
}
