// One tool: its specification of the contract, and what it does with checked arguments.
import type { InputOf, OutputOf, ToolSpec } from '../../contract/mcp.ts';
import type { ToolCall } from '../session.ts';

export interface Tool {
  readonly spec: ToolSpec;
  run(input: never, call: ToolCall): Promise<unknown>;
}

/** Refusals are thrown: a ToolError, or an error of the SDK. */
export function defineTool<Spec extends ToolSpec>(
  spec: Spec,
  run: (input: InputOf<Spec>, call: ToolCall) => Promise<OutputOf<Spec>>,
): Tool {
  return { spec, run };
}
