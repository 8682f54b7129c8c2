// One drawing per meaning (DESIGN.md, section 8). Screens name the meaning; only this file names drawings.
import {
  Activity,
  Anchor,
  Bot,
  Box,
  Check,
  ChevronDown,
  ChevronLeft,
  ChevronRight,
  CircleCheck,
  CircleSlash,
  CircleX,
  Clock,
  CloudOff,
  Copy,
  Download,
  Ellipsis,
  File,
  FilePlus,
  Folder,
  FolderPlus,
  History,
  Info,
  Keyboard,
  KeyRound,
  LayoutDashboard,
  List,
  ListFilter,
  type LucideIcon,
  MailX,
  Merge,
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
  Search,
  Send,
  SlidersHorizontal,
  SquareArrowRight,
  Sun,
  Trash2,
  TriangleAlert,
  Undo2,
  X,
} from 'lucide-react';
import type { ReactElement } from 'react';

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
  replay: RotateCcw,
  history: History,
  canceled: CircleSlash,
  undo: Undo2,
  activity: Activity,
  webhook: SquareArrowRight,
  agent: Bot,
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
  light: Sun,
  dark: Moon,
  system: Monitor,
} as const satisfies Record<string, LucideIcon>;

export type Meaning = keyof typeof drawings;

/** Hidden from readers: an icon never stands for a word. `small` is 14 px instead of 16. */
export function Icon({
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
      strokeWidth={1.5}
      absoluteStrokeWidth
      className={`icon${spinning ? ' spinning' : ''}${of === 'paused' ? ' filled' : ''}`}
    />
  );
}
