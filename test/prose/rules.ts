// The project's own rules for prose (docs/glossary.md, "Style"), run by textlint over documents and over texts of the product.
import type { TextlintRuleModule } from '@textlint/types';

const wordsOfSentenceMax = 40;

/** Text without code spans, link targets and placeholders. */
function plain(text: string): string {
  return text.replaceAll(/`[^`]*`/g, 'code').replaceAll(/\]\([^)]*\)/g, ']');
}

function sentencesOf(paragraph: string): readonly string[] {
  return plain(paragraph)
    .replaceAll(/\s+/g, ' ')
    .split(/(?<=[.!?;:](?:\*\*)?)\s+/);
}

export const shortSentences: TextlintRuleModule = ({ Syntax, RuleError, report, getSource }) => ({
  [Syntax.Paragraph](node) {
    for (const sentence of sentencesOf(getSource(node))) {
      const words = sentence.split(' ').length;
      if (words > wordsOfSentenceMax)
        report(
          node,
          new RuleError(
            `a sentence of ${words} words, more than ${wordsOfSentenceMax}: ${sentence.slice(0, 60)}…`,
          ),
        );
    }
  },
});

export const noRepeatedWords: TextlintRuleModule = ({ Syntax, RuleError, report, getSource }) => ({
  [Syntax.Paragraph](node) {
    for (const [repeated] of plain(getSource(node)).matchAll(/(?<![\w-])([A-Za-z]{2,}) \1(?![\w-])/gi))
      if (!/^(that|had) /i.test(repeated)) report(node, new RuleError(`a word twice: "${repeated}"`));
  },
});

export const ratesWithPer: TextlintRuleModule = ({ Syntax, RuleError, report, getSource }) => ({
  [Syntax.Paragraph](node) {
    const rate =
      /\b(deletions?|deletes|requests?|events?|files|webhooks|calls|bytes|[KMG]iB|times) (a|an) (second|minute|hour|day)\b/gi;
    for (const [words] of plain(getSource(node)).matchAll(rate))
      report(node, new RuleError(`"${words}": write "per"`));
  },
});

/** Names and abbreviations may have capitals anywhere. */
const capitals =
  /^(?:Code|Desktop|Studio|[A-Z]{2,}\w*|API|CLI|HTTP|SDK|UI|Mooring|Electron|PostgreSQL|SQLite|GitHub|Linux|Windows|WebSockets?|Node\.js|OpenAPI|OpenID|I|Markdown|Host|Origin|If-Match|ETag)$/;

export const sentenceCaseHeadings: TextlintRuleModule = ({ Syntax, RuleError, report, getSource }) => ({
  [Syntax.Header](node) {
    const heading = plain(getSource(node)).replace(/^#+\s*(?:[A-Z]?\d+\. )?/, '');
    const later = heading.split(/[\s/]+/).slice(1);
    const raised = later.filter((word, index) => {
      const before = later[index - 1] ?? '';
      return /^[A-Z][a-z]/.test(word) && !capitals.test(word) && !/[.:?]$/.test(before);
    });
    if (raised.length > 0)
      report(node, new RuleError(`a heading in sentence case has no capital in: ${raised.join(', ')}`));
  },
});
