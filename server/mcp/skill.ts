// The skill of the server (extension `io.modelcontextprotocol/skills`): how to work in files that others change too. It is for clients that load
// skills. It says nothing that the instructions and the descriptions of the tools do not say in fewer words, because few clients load it.
import { SkillsExtension, skillEntry } from '@modelcontextprotocol/server/ext/skills';

export const skillName = 'shared-workspace';
export const skillUri = `skill://${skillName}/SKILL.md`;
const mimeType = 'text/markdown';
const description =
  'Read, edit, search, follow and restore files of a Mooring workspace that people and other agents change at the same time. ' +
  'Use it before you change a file with the tools of the server "mooring", or when one of them answers with a conflict.';

export const skillText = `---
name: ${skillName}
description: >-
  ${description}
---

# Work in a shared workspace

The files of a workspace belong to several people and agents. A file that you have read may have changed when you write it. Mooring refuses a
write that would replace a change which you have not seen, and keeps past states in the history.

If the tools that write are not offered, the connection is read-only. If a call is refused as \`forbidden\`, \`status\` lists the paths that you may use.

## Find and read

1. \`list_files\` lists a directory. \`search\` finds text, a regular expression or a name. Prefer it to reading many files.
2. \`read_file\` returns the content and its \`revision\`. Keep the revision: it is the \`baseRevision\` of your write.
3. An answer with \`truncated: true\` is incomplete. Pass its \`nextCursor\` as \`cursor\`, or its \`nextLine\` as \`startLine\`, to continue.

## Change

1. Use \`edit_file\` for a part of a file. Each \`oldText\` occurs exactly once, with its whitespace. Use \`write_file\` for a new or a whole file.
2. Pass the \`baseRevision\` that you read. Pass \`0\` if the file must be new.
3. With \`dryRun: true\` a call shows its effect and changes nothing.
4. \`move_file\` and \`delete_file\` take a file or a directory, as one change. More than 20 files need \`confirm: true\`: ask the person first.

## When a write is refused with a conflict

1. Do not repeat it with \`*\` as \`baseRevision\`. That would remove the change of another person or agent.
2. The answer has the current revision and an excerpt. Read the file again with \`read_file\`.
3. Make your change in the current text, and write it with the current revision.
4. If both changes cannot be kept, ask the person.

## Wait for others

Call \`wait_for_changes\` with \`timeoutSeconds: 0\` to get a cursor. Pass the \`cursor\` of each answer to the next call: no change is missed between
two calls. Do not poll with \`list_files\`.

## Undo

\`history\` shows the past states of a file, with who made them, and a diff. \`restore\` brings one back, or takes a whole commit back by its \`batch\`.
A restore is a change like any other and can be undone.

## Work that a person reviews first

1. \`changes\` with \`action: "begin"\` begins a run. Pass its \`runId\` to every call. The workspace does not change before the commit.
2. \`changes\` with \`action: "show"\` lists what is staged. Tell the person what it is.
3. Commit with \`action: "commit"\`, wholly or in part, or discard with \`action: "discard"\`, as the person decides.
`;

const ofSkill = skillEntry(skillName, { 'SKILL.md': skillText });

/** One serves all servers. It is the same for every caller, and reveals nothing of a workspace. */
export const skills = new SkillsExtension({
  cacheHint: { ttlMs: 300_000, cacheScope: 'private' },
  strict: true,
  source: {
    list: async () => ({ skills: [await ofSkill] }),
    get: async (uri) => (uri === skillUri ? await ofSkill : undefined),
    read: async (uri) => (uri === skillUri ? { text: skillText, mimeType } : undefined),
    listResources: async () => [{ uri: skillUri, name: skillName, description, mimeType }],
  },
});
