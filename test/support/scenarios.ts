// The situations that a two-way mirror meets, numbered, and what shows that this one gets through each. A row names tests by
// their titles; the test beside this file fails when one of them is gone. `npx vitest run test/support/scenarios.test.ts -u`
// writes test/flow/scenarios.md anew.

export type Proof =
  /** Tests that show exactly this, as `file: title`; a title may be cut short. */
  | { readonly tested: readonly string[] }
  /** No test of its own; the simulation's people do it, among everything else, with every anomaly asserted. */
  | { readonly simulated: string }
  | { readonly cannotApply: string }
  /** Honest: nothing shows it. */
  | { readonly missing: string };

export interface Scenario {
  readonly number: number;
  readonly what: string;
  readonly proof: Proof;
}

const first = 'mirror/first-contact';
const edits = 'mirror/edits';
const halts = 'mirror/loop/halt-causes';
const leftOut = 'mirror/proof/excluded-paths';
const owner = 'mirror/folder-owner';
const refusing = 'mirror/refusing-disk';
const restart = 'mirror/restarting';
const merging = 'mirror/actions/merge-edits';
const moves = 'mirror/moves';
const conflicts = 'conflicts/conflicts';
const keeping = 'mirror/keeping';
const watching = 'mirror/loop/watch-mode';
const planner = 'core/sync/reconcile';
const names = 'core/sync/conflict-copy-name';
const scan = 'disk/scan/scanner';
const write = 'disk/write/write-batch';
const rules = 'disk/rules';
const held = 'mirror/state/unsyncable';
const folding = 'mirror/folding';
const engine = 'simulation/engine: keeps every promise';
const planted = 'simulation/planted-faults';

function tested(number: number, what: string, ...tests: readonly string[]): Scenario {
  return { number, what, proof: { tested: tests } };
}
function simulated(number: number, what: string, how: string): Scenario {
  return { number, what, proof: { simulated: how } };
}
function cannotApply(number: number, what: string, why: string): Scenario {
  return { number, what, proof: { cannotApply: why } };
}

export const scenarios: readonly Scenario[] = [
  tested(1, 'Both sides empty, then the first file of each', `${first}: starts with nothing on either side`),
  tested(
    2,
    'Both sides hold the same tree',
    `${first}: transfers nothing when both sides hold the same bytes`,
  ),
  tested(
    3,
    'Same names, different content at first contact',
    `${first}: keeps both versions of a file that differs`,
  ),
  tested(
    4,
    'Same content, different times',
    `${first}: transfers nothing when both sides hold the same bytes`,
  ),
  tested(
    5,
    'One side empty at first contact',
    `${first}: takes a folder full of files`,
    `${first}: brings a workspace full of files`,
  ),
  tested(6, 'What was agreed on is lost', `${first}: after a lost base neither deletes nor overwrites`),
  tested(
    7,
    'Same time, other content; other time, same content',
    `${edits}: sees an edit whose time was set back`,
    `${edits}: uploads nothing for a touch`,
  ),
  tested(8, 'Mirrored again onto a folder full of files', `${first}: unites two different sets of files`),
  tested(9, 'Two different edits', `${edits}: two edits leave two versions on both sides`),
  tested(10, 'The identical edit on both sides', `${edits}: the same edit is no conflict`),
  tested(11, 'Edit against deletion, either way', `${edits}: an edit survives a deletion on the other side`),
  tested(
    12,
    'Deleted in the workspace, then edited in the folder',
    `${planner}: an edit in the folder survives a deletion in the workspace`,
  ),
  tested(
    13,
    'A conflict of a conflict copy',
    `${edits}: a copy of a copy does not nest its name`,
    `${names}: replaces the suffix of a copy`,
  ),
  tested(
    14,
    'The conflict is over when its copy is deleted',
    `${edits}: the conflict is over when its copy is deleted`,
  ),
  tested(
    15,
    'A file of the workspace that only looks like a conflict copy',
    `${moves}: that looks like that of a conflict copy makes no conflict`,
  ),
  tested(
    16,
    'Deleting the losing side ends the conflict',
    `${conflicts}: deleting the copy in the workspace resolves it`,
    `${conflicts}: deleting the path leaves the copy, which can still be given the path`,
  ),
  simulated(17, 'Deleted in the folder while it is sent', 'a person deletes between any two system calls'),
  tested(
    18,
    'Quick changes of one file on both sides',
    `${edits}: many quick changes of one file on both sides`,
  ),
  tested(
    19,
    'An edit of the same size right after a sync',
    `${edits}: sees an edit of the same size`,
    `${scan}: hashes again what was touched so shortly before it was read that its times prove nothing`,
  ),
  tested(20, 'Times set back, or far ahead', `${edits}: sees an edit whose time was set back`),
  tested(21, 'A touch without a change', `${edits}: uploads nothing for a touch`),
  tested(22, 'Deleted on both sides while nobody looked', `${edits}: a deletion on both sides is a deletion`),
  tested(
    23,
    'Edits that do not overlap; a base that is missing',
    `${merging}: become one file on both sides`,
    `${merging}: two files of one name that never had a common beginning`,
  ),
  tested(
    24,
    'The folder changes while a merge is made',
    `${merging}: are looked at again when the folder changes once more`,
  ),
  cannotApply(
    25,
    'A revision that is used again with other content',
    'revisions are numbered inside the transaction and never used twice; a restored backup has another epoch and is met as number 6',
  ),
  tested(26, 'A simple rename transfers nothing', `${edits}: a rename in the folder stores no bytes`),
  tested(
    27,
    'Renamed and edited at once',
    `${planner}: the same inode with other content is a new file and a deletion`,
  ),
  simulated(28, 'Renamed to one name here and to another there', 'both sides rename at random'),
  simulated(29, 'A directory renamed on both sides', 'both sides move directories and files at random'),
  tested(
    30,
    'A directory renamed here, a child edited there',
    `${planner}: a renamed file that the workspace edited meanwhile`,
    `${planner}: a renamed directory moves each of its files`,
  ),
  simulated(
    31,
    'A directory and a child renamed at once',
    'a person renames again before the first rename is seen',
  ),
  simulated(32, 'A hierarchy turned round', 'a person moves directories into each other'),
  simulated(
    33,
    'A new directory takes the name of an old one in a deep chain',
    'names are few, so that this happens all the time',
  ),
  simulated(34, 'A file moved to different directories on both sides', 'both sides rename at random'),
  cannotApply(
    35,
    'Two moves that together make a cycle',
    'the workspace has no directories that could be moved, only paths of files',
  ),
  tested(36, 'Two files swap their names', `${edits}: two files that swap their names end swapped`),
  simulated(37, 'a to b to c to b', 'a person renames again before the first rename is seen'),
  simulated(38, 'Moved, and a new file at the old name', 'a person saves as vim does, among others'),
  tested(39, 'A move onto an existing file', `${planner}: a file renamed onto an agreed one`),
  tested(
    40,
    'A move into a directory made in the same moment',
    `${scan}: sees both ends of a rename in one scan`,
    `${scan}: looks where a hint points even if its parent is new`,
  ),
  simulated(
    41,
    'The two events of a move in the wrong order',
    'every event is delayed at random, doubled, or lost',
  ),
  simulated(
    42,
    'Content moved out, then the parent deleted',
    'a person renames and then deletes the directory',
  ),
  tested(
    43,
    'A move that the workspace refuses',
    `${moves}: that the workspace refuses is listed, doubles nothing`,
  ),
  tested(
    44,
    'A move from or to an ignored name',
    `${moves}: to an ignored name is a deletion, from one a creation, and between two nothing`,
  ),
  tested(
    45,
    'Hard links',
    `${scan}: keeps two names of one file apart`,
    `${planner}: of two hard links to a renamed file one is the move`,
  ),
  tested(
    46,
    'Only a directory is synced, and it is renamed',
    'mirror/modes: is empty while its directory has another name',
  ),
  tested(
    47,
    'Two directories with the same beginning of their names moved',
    `${moves}: of two directories whose names begin alike`,
  ),
  tested(
    48,
    'All files gone, and the person wants them back',
    `${halts}: when more than half of its files are gone; resuming brings them back`,
  ),
  tested(
    49,
    'All files gone, and the person wants them gone',
    'mirror/loop/halts: deletes on "yes, delete them" the files that were shown',
  ),
  tested(50, 'A backup is restored', `${restart}: after a restored backup only adds`),
  tested(
    51,
    'A single renamed or deleted file does not halt',
    `${halts}: and not for its only file`,
    `${halts}: but not for a few deletions`,
  ),
  tested(
    52,
    'The root is deleted, renamed or replaced',
    `${halts}: when its folder is missing`,
    `${halts}: when another folder stands in its place`,
  ),
  tested(53, 'A file in place of the root', `${halts}: when a file stands in place of its folder`),
  tested(54, 'A start with an empty disk', `${halts}: when all its files are gone, also over a restart`),
  tested(
    55,
    'A listing of the workspace that breaks off',
    `${planted}: a listing that breaks off is taken for a whole one`,
  ),
  tested(
    56,
    'More than half of the files deleted',
    `${halts}: when more than half of its files are gone`,
    `${halts}: when they go slowly`,
  ),
  tested(
    57,
    'A directory deleted there holds new files here',
    `${planner}: a directory with a new file steps aside`,
    engine,
  ),
  tested(
    58,
    'A directory deleted there holds ignored files here',
    `${write}: takes the file and the directories that it left empty, and no others`,
  ),
  tested(59, 'A deletion behind a link', `${leftOut}: writes and deletes nothing through a link`),
  tested(
    60,
    'Deleted for good, or to be had back',
    `${keeping}: brings back into the folder what was deleted there`,
    `${keeping}: brings back what the mirror replaced in the folder`,
  ),
  simulated(61, 'A deleted path comes back', 'names are few, so that this happens all the time'),
  tested(
    62,
    'A tracked file that grew too large or cannot be read',
    `${leftOut}: a file that grew too large`,
    `${leftOut}: a file that cannot be read`,
  ),
  tested(
    63,
    'A file becomes a directory, a directory a file, a file a link',
    `${edits}: a file becomes a directory and a directory a file, from the folder`,
    `${edits}: a file becomes a directory and a directory a file, from the workspace`,
    `${scan}: misses what a link hid`,
  ),
  tested(
    64,
    'A file replaced by a directory with unknown content',
    `${edits}: a directory with unsynced content steps aside`,
  ),
  simulated(
    65,
    'The parent deleted while a child changes',
    'a person deletes directories, an agent writes below them',
  ),
  tested(
    66,
    'Names that differ in case',
    `${folding}: another spelling of a file or of a directory is a renaming, from the folder`,
    `${folding}: another spelling of a file or of a directory is a renaming, from the workspace`,
    `${held}: is the newcomer, not the file that is there already`,
  ),
  tested(
    67,
    'Two names that are one on this disk',
    `${folding}: of two files that differ in case one comes`,
    `${folding}: of two directories that differ in case one comes, and neither is doubled`,
    `${held}: is the second by name when both are new`,
  ),
  tested(
    68,
    'Two Unicode forms of one name',
    `${folding}: two Unicode forms of a name are one name`,
    `${rules}: folds case and Unicode forms only where the disk does`,
    engine,
  ),
  tested(
    69,
    'Names that a disk cannot hold',
    `${rules}: proposes a name that can be held`,
    `${rules}: proposes a shorter name, or none where no shorter one would do`,
    `${rules}: counts the root with the path`,
  ),
  tested(70, 'Names whose bytes are not UTF-8', `${leftOut}: lists a name whose bytes are not UTF-8`),
  tested(71, 'A child with the name of the root', `${moves}: of a child may be that of the root`),
  tested(
    72,
    'How editors save',
    'disk/editors: is one change of the file, looked at after every call',
    `${edits}: makes one event of one save`,
    engine,
  ),
  tested(73, 'A save through another file', `${scan}: takes a file that arrived by a rename at once`, engine),
  tested(74, 'A tree that appears at once', `${edits}: finds a tree that appeared at once`),
  tested(
    75,
    'A directory deleted and made again at the same path',
    `${watching}: at once, is watched as the one before was`,
    `${watching}: after its deletion was carried`,
  ),
  tested(
    76,
    'More events than the system holds',
    `${rules}: that come faster than 2,000 a second`,
    'disk/watch/watching: has everything looked at: a burst',
  ),
  tested(
    77,
    'The limit of watches is reached',
    'disk/watch/watching: gives up when the system gives no more watches, also while it runs',
    `${watching}: because its watches are spent`,
  ),
  tested(
    78,
    'The watcher dies',
    `${watching}: because its thread died`,
    'disk/watch/watching: goes on after any other error',
  ),
  tested(
    79,
    'The watcher says nothing any more',
    'disk/watch/watching: has everything looked at when an event does not come',
    `${watching}: without a word, the folder is polled`,
  ),
  tested(
    80,
    'Our own writes come back as events',
    `${edits}: makes one event of one save, and none of its own writes`,
  ),
  simulated(81, 'Events out of order or twice', 'every event is delayed at random, doubled, or lost'),
  tested(82, 'A kill between any two steps', engine, `${planted}: there is no journal`),
  tested(83, 'An answer that is lost after the commit', engine, `${planted}: an answer that may be late`),
  tested(
    84,
    'Bytes that are not what was announced',
    `${write}: refuses bytes that are not what was announced`,
  ),
  cannotApply(
    85,
    'A transfer that breaks off',
    'folder and workspace are on one machine; nothing is transferred over a network',
  ),
  tested(86, 'A quota is reached', `${keeping}: lists that one with its next step, takes the others`),
  simulated(87, 'Some of many are refused', 'system calls are refused at random'),
  tested(88, 'A feed that skips', `${planted}: an event of the workspace is now and then skipped`),
  cannotApply(
    89,
    'A burst beyond the buffer of the socket',
    'the mirror reads the feed from the store, not from a socket',
  ),
  simulated(90, 'The clock is set back or ahead', 'the wall clock jumps in one run of ten'),
  cannotApply(91, 'Attempts are spent, dead letters', 'a matter of providers, not of the mirror'),
  tested(
    92,
    'A full disk, refused rights, a long path',
    `${refusing}: tries again what the disk refused`,
    `${write}: leaves nothing behind when the disk is full`,
  ),
  tested(
    93,
    'A second agent on the same folder',
    `${owner}: refuses a folder that a living agent holds`,
    `${owner}: refuses a folder within one that a living agent holds`,
  ),
  tested(94, 'Never: a lost update', engine),
  tested(95, 'Never: a resurrection', engine),
  tested(96, 'Never: a phantom deletion', engine),
  tested(97, 'Never: sides that differ at rest and nobody says so', engine),
  tested(98, 'Never: no rest', engine),
  tested(99, 'Never: one write, two effects', engine),
  tested(100, 'Never: old over new', engine),
  tested(101, 'Never: a torn file', engine),
];

export function asMarkdown(rows: readonly Scenario[]): string {
  const count = (kind: string) => rows.filter(({ proof }) => kind in proof).length;
  return [
    '# Scenarios of the mirror',
    '',
    'Made from `test/support/scenarios.ts`; do not edit. Of the 101 situations',
    `${count('tested')} have tests of their own, ${count('simulated')} are met by the simulation alone,`,
    `${count('cannotApply')} cannot happen here, and ${count('missing')} are shown by nothing yet.`,
    '',
    '| | scenario | shown by |',
    '|---|---|---|',
    ...rows.map(({ number, what, proof }) => `| ${number} | ${what} | ${shownBy(proof)} |`),
    '',
  ].join('\n');
}

function shownBy(proof: Proof): string {
  if ('tested' in proof) return proof.tested.join('<br>');
  if ('simulated' in proof) return `the simulation only: ${proof.simulated}`;
  if ('cannotApply' in proof) return `cannot apply: ${proof.cannotApply}`;
  return `**nothing yet**: ${proof.missing}`;
}
