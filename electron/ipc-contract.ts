// The IPC channels of the desktop app with their types, shared by the main process, the preload script and (as types) the
// renderer. No code runs here. In a browser `window.mooring` is undefined.

/** The state of the agent process. */
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

/** The last unexpected exit of the agent. */
export interface CrashReport {
  readonly reason: string;
  /** RFC 3339. */
  readonly at: string;
  /** Consecutive exits, including this one. */
  readonly failures: number;
  /** The last log lines, oldest first, without tokens or file contents. */
  readonly lastLines: readonly string[];
  /** Path of the written report; null when writing failed. */
  readonly file: string | null;
}

export interface FolderDialogOptions {
  /** Title of the dialog. */
  readonly title?: string;
  /** Initial folder; ignored if missing. */
  readonly startIn?: string;
}

/** A file or folder by workspace, never by a local path: the page cannot name files outside of a mirror. */
export interface MirroredPath {
  readonly workspaceId: string;
  /** In the folder of this run, in place of the mirrored folder. */
  readonly runId?: string;
  /** Workspace path, beginning with `/`; `/` is the mirrored folder itself. */
  readonly path: string;
}

/** `cause` and `next` are sentences for the user. */
export type PathActionResult =
  | { readonly ok: true }
  | { readonly ok: false; readonly cause: string; readonly next: string };

/** How provider secrets are protected. `why` is a sentence for the user. */
export type SecretsProtection =
  | { readonly kind: 'system-keychain' }
  | { readonly kind: 'file-permissions'; readonly why: string };

export type UpdateState =
  /** No feed is configured: no requests. */
  | { readonly kind: 'off'; readonly why: string }
  | { readonly kind: 'idle'; readonly checkedAt: string | null }
  | { readonly kind: 'checking' }
  | { readonly kind: 'downloading'; readonly version: string; readonly percent: number }
  /** Installed when the app quits, or immediately on request. */
  | { readonly kind: 'downloaded'; readonly version: string }
  | { readonly kind: 'failed'; readonly cause: string; readonly checkedAt: string };

/** The settings of the desktop app. */
export interface DesktopState {
  readonly version: string;
  readonly startAtLogin: {
    readonly on: boolean;
    /** Why the setting is unavailable; null: available. */
    readonly unavailable: string | null;
  };
  /** Whether closing the window keeps the app in the tray. */
  readonly keepRunning: { readonly on: boolean; readonly unavailable: string | null };
  readonly notifications: { readonly on: boolean; readonly unavailable: string | null };
  readonly secrets: SecretsProtection;
  readonly updates: UpdateState;
}

/** Changed settings. */
export interface DesktopChange {
  readonly startAtLogin?: boolean;
  readonly keepRunning?: boolean;
  readonly notifications?: boolean;
}

/** Requests of the page to the main process. */
export interface Invocations {
  'agent:state': { readonly args: readonly []; readonly result: AgentState };
  /** Starts a failed agent; does nothing while one runs. */
  'agent:revive': { readonly args: readonly []; readonly result: AgentState };
  'agent:crash': { readonly args: readonly []; readonly result: CrashReport | null };
  /** A single-use sign-in code for this page; null without an agent. */
  'agent:sign-in-code': { readonly args: readonly []; readonly result: string | null };
  /** The selected folder; null when the dialog was canceled. */
  'folder:choose': { readonly args: readonly [FolderDialogOptions]; readonly result: string | null };
  'path:reveal': { readonly args: readonly [MirroredPath]; readonly result: PathActionResult };
  'path:open': { readonly args: readonly [MirroredPath]; readonly result: PathActionResult };
  /** Whether the page has unsaved changes; the app asks before it quits. */
  'page:unsaved': { readonly args: readonly [boolean]; readonly result: null };
  'desktop:state': { readonly args: readonly []; readonly result: DesktopState };
  'desktop:change': { readonly args: readonly [DesktopChange]; readonly result: DesktopState };
  'updates:check': { readonly args: readonly []; readonly result: UpdateState };
  /** Quits, installs the downloaded update and restarts; false without a downloaded update. */
  'updates:install': { readonly args: readonly []; readonly result: boolean };
}

/** Messages of the main process to the page. */
export interface Broadcasts {
  'agent:state-changed': AgentState;
  'desktop:state-changed': DesktopState;
  /** Navigate to this location (after `#`): from the tray, a notification or a mooring:// link. */
  'page:go': string;
}

export type InvocationChannel = keyof Invocations;
export type BroadcastChannel = keyof Broadcasts;

/** `window.mooring` of the page; absent in a browser. Functions that subscribe return an unsubscribe function. */
export interface MooringBridge {
  readonly platform: 'darwin' | 'win32' | 'linux';
  agentState(): Promise<AgentState>;
  reviveAgent(): Promise<AgentState>;
  lastCrash(): Promise<CrashReport | null>;
  signInCode(): Promise<string | null>;
  chooseFolder(question: FolderDialogOptions): Promise<string | null>;
  /** Shows it in the file manager. */
  reveal(target: MirroredPath): Promise<PathActionResult>;
  /** Opens it with the system's program for its type; never executes it. */
  open(target: MirroredPath): Promise<PathActionResult>;
  holdsUnsaved(holds: boolean): Promise<null>;
  desktopState(): Promise<DesktopState>;
  changeDesktop(change: DesktopChange): Promise<DesktopState>;
  checkForUpdates(): Promise<UpdateState>;
  installUpdate(): Promise<boolean>;
  onAgentState(listener: (state: AgentState) => void): () => void;
  onDesktopState(listener: (state: DesktopState) => void): () => void;
  onGo(listener: (location: string) => void): () => void;
}
