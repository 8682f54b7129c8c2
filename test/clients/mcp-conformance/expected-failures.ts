// The checks of the conformance suite that fail because the product does not offer what they look at. By their whole names, so that another
// failure of the same scenario shows.
import type { Revision } from './run-suite.ts';

/** What fails, as `scenario: check`, by reason. */
export const expectedFailures: Readonly<Record<Revision, Readonly<Record<string, readonly string[]>>>> = {
  '2025-11-25': {
    'the server asks the user nothing (elicitation)': [
      'elicitation-sep1034-defaults: elicitation-sep1034-general',
      'elicitation-sep1330-enums: elicitation-sep1330-general',
      'tools-call-elicitation: tools-call-elicitation',
    ],
    'the server asks no model (sampling)': ['tools-call-sampling: tools-call-sampling'],
    'the log of the agent is not sent to clients (logging)': [
      'logging-set-level: logging-set-level',
      'tools-call-with-logging: tools-call-with-logging',
    ],
    'this era has no open stream over HTTP on which an update could arrive': [
      'resources-subscribe: resources-subscribe',
      'resources-unsubscribe: resources-unsubscribe',
    ],
  },
  '2026-07-28': {
    'the server asks the user, a model or for roots nothing (elicitation, sampling, roots)': [
      'input-required-result-basic-elicitation: sep-2322-elicitation-incomplete',
      'input-required-result-basic-list-roots: sep-2322-list-roots-incomplete',
      'input-required-result-basic-sampling: sep-2322-sampling-incomplete',
      'input-required-result-capability-check: sep-2322-respect-client-capabilities',
      'input-required-result-multi-round: sep-2322-multi-round-r1',
      'input-required-result-multiple-input-requests: sep-2322-multiple-inputs-incomplete',
      'input-required-result-non-tool-request: sep-2322-non-tool-incomplete',
      'input-required-result-request-state: sep-2322-request-state-incomplete',
      'input-required-result-result-type: sep-2322-result-type-included',
      'input-required-result-tampered-state: sep-2322-reject-tampered-state',
    ],
    'what these checks look at needs a tool of sampling, elicitation or logging': [
      'server-stateless: sep-2575-http-server-no-independent-requests-on-stream',
      'server-stateless: sep-2575-missing-capability-http-400',
      'server-stateless: sep-2575-server-no-log-without-loglevel',
      'server-stateless: sep-2575-server-rejects-undeclared-capability',
    ],
    'each tool answers within its call (tasks)': [
      'tasks-capability-negotiation: sep-2663-server-rejects-undeclared-client',
      'tasks-capability-negotiation: sep-2663-tasks-methods-non-declaring',
      'tasks-capability-negotiation: tasks-extension-advertised',
      'tasks-capability-negotiation: tasks-per-request-meta-opt-in',
      'tasks-dispatch-and-envelope: sep-2663-durable-create-strong-consistency',
      'tasks-dispatch-and-envelope: sep-2663-legacy-task-param-ignored',
      'tasks-dispatch-and-envelope: sep-2663-tasks-get-invalid-task-id-32602',
      'tasks-dispatch-and-envelope: tasks-immediate-result-shortcut',
      'tasks-dispatch-and-envelope: tasks-result-type-complete-on-non-task-responses',
      'tasks-dispatch-and-envelope: tasks-server-directed-creation-no-hint',
      'tasks-lifecycle: sep-2663-cancel-ack-empty-result',
      'tasks-lifecycle: sep-2663-result-type-task-on-create',
      'tasks-lifecycle: sep-2663-tasks-get-status-completed',
      'tasks-lifecycle: sep-2663-tasks-get-status-failed',
      'tasks-lifecycle: sep-2663-tasks-get-status-working',
      'tasks-lifecycle: sep-2663-tool-error-uses-completed-status',
      'tasks-lifecycle: tasks-cancel-terminal-idempotent-ack',
      'tasks-lifecycle: tasks-sync-tool-call',
      'tasks-mrtr-composition: sep-2663-mrtr-synchronous-before-task-creation',
      'tasks-mrtr-input: sep-2663-tasks-get-status-input-required',
      'tasks-mrtr-input: tasks-mrtr-partial-fulfillment',
      'tasks-mrtr-input: tasks-mrtr-tasks-update-resumes',
      'tasks-request-headers: sep-2663-routing-headers-accepted-on-tasks-get',
      'tasks-request-headers: sep-2663-server-rejects-mismatched-mcp-name-on-tasks-get',
      'tasks-request-headers: tasks-headers-tolerate-mcp-method-on-tools-call',
      'tasks-request-state-removal: tasks-request-state-removal-setup',
      'tasks-required-task-error: sep-2663-server-returns-missing-capability-when-required',
      'tasks-wire-fields: tasks-no-early-ttl-expiry',
      'tasks-wire-fields: tasks-no-related-task-meta-on-inlined-result',
      'tasks-wire-fields: tasks-wire-field-renames',
    ],
  },
};
