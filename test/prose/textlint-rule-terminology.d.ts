declare module 'textlint-rule-terminology' {
  import type { TextlintFixableRuleModule } from '@textlint/types';

  const rule: TextlintFixableRuleModule;
  // biome-ignore lint/style/noDefaultExport: the package has one.
  export default rule;
}
