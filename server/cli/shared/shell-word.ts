// A value as a word of a shell, for commands that messages suggest. Pure.

/** In quotes only if it has to be: in single quotes, in which a shell replaces nothing; cmd.exe knows double quotes only. */
export function shellWord(text: string, platform: NodeJS.Platform = process.platform): string {
  if (/^[\p{L}\p{N}_./~:@][\p{L}\p{M}\p{N}_./~:@,=+-]*$/u.test(text)) return text;
  return platform === 'win32' ? `"${text.replaceAll('"', '""')}"` : `'${text.replaceAll("'", "'\\''")}'`;
}
