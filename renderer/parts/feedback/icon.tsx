// One drawing per meaning. Screens name the meaning; only this file names drawings.
import {
  Activity,
  Anchor,
  ArrowDown,
  ArrowUp,
  BookOpen,
  Bot,
  Box,
  Check,
  ChevronDown,
  ChevronLeft,
  ChevronRight,
  ChevronsUpDown,
  ChevronUp,
  CircleCheck,
  CircleQuestionMark,
  CircleSlash,
  CircleX,
  Clock,
  Cloud,
  CloudOff,
  Copy,
  createLucideIcon,
  Download,
  Ellipsis,
  File,
  FilePlus,
  FlaskConical,
  Folder,
  FolderPlus,
  GitMerge,
  History,
  Info,
  Keyboard,
  KeyRound,
  LayoutDashboard,
  List,
  ListFilter,
  type LucideIcon,
  MailX,
  Maximize2,
  Merge,
  Minimize2,
  Monitor,
  Moon,
  OctagonAlert,
  Pause,
  Pencil,
  Play,
  Plug,
  Plus,
  RefreshCw,
  RotateCcw,
  ScrollText,
  Search,
  Send,
  SlidersHorizontal,
  SquareArrowRight,
  Sun,
  Trash2,
  TriangleAlert,
  Undo2,
  Upload,
  X,
} from 'lucide-react';
import { memo, type ReactElement } from 'react';

/** Lucide's shield with an equals sign. */
const ShieldEqual = createLucideIcon('shield-equal', [
  [
    'path',
    {
      d: 'M20 13c0 5-3.5 7.5-7.66 8.95a1 1 0 0 1-.67-.01C7.5 20.5 4 18 4 13V6a1 1 0 0 1 1-1c2 0 4.5-1.2 6.24-2.72a1.17 1.17 0 0 1 1.52 0C14.51 3.81 17 5 19 5a1 1 0 0 1 1 1z',
      key: 'shield',
    },
  ],
  ['path', { d: 'M9 10h6', key: 'above' }],
  ['path', { d: 'M9 14h6', key: 'below' }],
]);

const drawings = {
  mooring: Anchor,
  overview: LayoutDashboard,
  folder: Folder,
  addFolder: FolderPlus,
  file: File,
  workspace: Box,
  provider: Plug,
  conflict: Merge,
  writeback: Send,
  deadLetter: MailX,
  operations: List,
  log: ScrollText,
  replay: RotateCcw,
  history: History,
  canceled: CircleSlash,
  undo: Undo2,
  proof: ShieldEqual,
  activity: Activity,
  webhook: SquareArrowRight,
  agent: Bot,
  run: FlaskConical,
  committed: GitMerge,
  remote: Cloud,
  halted: OctagonAlert,
  warning: TriangleAlert,
  fine: CircleCheck,
  failed: CircleX,
  moving: RefreshCw,
  waiting: Clock,
  paused: Pause,
  resume: Play,
  offline: CloudOff,
  copy: Copy,
  copied: Check,
  download: Download,
  upload: Upload,
  created: FilePlus,
  edit: Pencil,
  deleted: Trash2,
  info: Info,
  key: KeyRound,
  settings: SlidersHorizontal,
  add: Plus,
  more: Ellipsis,
  keyboard: Keyboard,
  search: Search,
  filter: ListFilter,
  close: X,
  back: ChevronLeft,
  closed: ChevronRight,
  open: ChevronDown,
  choose: ChevronsUpDown,
  docs: BookOpen,
  help: CircleQuestionMark,
  widen: Maximize2,
  narrow: Minimize2,
  up: ChevronUp,
  upwards: ArrowUp,
  downwards: ArrowDown,
  light: Sun,
  dark: Moon,
  system: Monitor,
} as const satisfies Record<string, LucideIcon>;

export type Meaning = keyof typeof drawings;

/**
 * Hidden from screen readers: an icon never replaces a word. `small` is 14 px instead of 16. Memoized, because a screen has up to a
 * hundred and each status of the agent renders it again.
 */
export const Icon = memo(function Icon({
  of,
  small = false,
  spinning = false,
}: {
  readonly of: Meaning;
  readonly small?: boolean;
  readonly spinning?: boolean;
}): ReactElement {
  const Drawing = drawings[of];
  return (
    <Drawing
      aria-hidden="true"
      size={small ? 14 : 16}
      strokeWidth={small ? 2 : 1.85}
      className={`icon${spinning ? ' spinning' : ''}${of === 'paused' ? ' filled' : ''}`}
    />
  );
});
