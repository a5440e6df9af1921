// Faults of the review page that a real browser detects.
const editOf = (file, text, by) => ({ edits: [{ file: `src/page/app/${file}`, text, by }] })
const seenBy = (test, only) => ({ project: 'browser', test: `test/page/browser/${test}.test`, only, build: 'page' })

module.exports = [
  {
    id: 'P14-revision',
    fault: 'a vote is sent without If-Match',
    ...editOf(
      'screens/request/model/use-step.ts',
      'step.run(context, { ...pressed.current.write, signal }, ...args)',
      'step.run(context, { idempotencyKey, signal }, ...args)',
    ),
    ...seenBy('live', 'keeps its content until one looks'),
  },
  {
    id: 'P14-preset',
    fault: 'an approval that applies is sent without If-Match',
    ...editOf('screens/request/decision/approval.tsx', 'isPreset ? { ifMatch, ...write } : write', 'write'),
    ...seenBy('preset-schedule', 'their approval applies it'),
  },
  {
    id: 'P14-proposal',
    fault: 'a proposal is added to an open change request without a second press',
    ...editOf('screens/authoring/index.tsx', "{ ifNoneMatch: '*' as const }", '{}'),
    ...seenBy('authoring', 'takes it on the second press only'),
  },
  {
    id: 'P14-stale',
    fault: 'an edit is sent although the flag changed since it was shown',
    ...editOf('screens/authoring/model/use-change.ts', '...(expected !== undefined && { expected }),', ''),
    ...seenBy('editing', 'the flag changed meanwhile'),
  },
  {
    id: 'P14-swap',
    fault: 'the diff changes by itself while the user reads it',
    ...editOf(
      'screens/request/model/use-request.ts',
      'else if (change === null && own.content !== latest)',
      'else if (own.content !== latest)',
    ),
    ...seenBy('live', 'keeps its content until one looks'),
  },
  {
    id: 'P14-html',
    fault: 'a comment is shown as HTML',
    ...editOf(
      'screens/request/discussion/comment.tsx',
      "<Linked text={text ?? ''} />",
      '<i dangerouslySetInnerHTML={{ __html: text }} />',
    ),
    ...seenBy('hostile', 'are text on every screen, 1280'),
  },
  {
    id: 'P14-step',
    fault: 'a step is enabled without reading the review',
    ...editOf('screens/request/decision/step-button.tsx', 'off !== null || !step.allowed', 'off !== null'),
    ...seenBy('steps', 'are off with the sentences of the server'),
  },
  {
    id: 'P14-draft',
    fault: 'the text of a comment is not stored in the tab',
    ...editOf('core/tools/drafts.ts', "if (text !== '') sessionStorage.setItem(key, text)", 'void text'),
    ...seenBy('sign-in', 'loses nothing of what was written'),
  },
  {
    id: 'P14-hidden',
    fault: 'a hidden tab keeps its connection',
    ...editOf('core/api/live.ts', "isSignedIn() && document.visibilityState === 'visible'", 'isSignedIn()'),
    ...seenBy('live', 'none while the tab is hidden'),
  },
  {
    id: 'P14-repeat',
    fault: 'each retry of a button press gets a new Idempotency-Key',
    ...editOf(
      'core/api/action.ts',
      'await run({ idempotencyKey, signal:',
      'await run({ idempotencyKey: createKey(), signal:',
    ),
    ...seenBy('repeats', 'whose answer got lost is written once'),
  },
  {
    id: 'P14-done',
    fault: 'a request that the browser repeated by itself is reported as failed',
    ...editOf(
      'screens/request/model/use-step.ts',
      "new Set(['unknown', 'unsure', 'changed', 'missing', 'gone'])",
      "new Set(['unsure', 'missing'])",
    ),
    ...seenBy('repeats', 'is found done, and told as done'),
  },
  {
    id: 'T62-page',
    fault: 'a decision is sent again after a 503, without reading whether it was stored',
    ...editOf(
      'screens/request/model/use-step.ts',
      'else if (step.isDone !== undefined && !step.hasKey)',
      'else if (false)',
    ),
    ...seenBy('failover', 'the step is not sent again: Approve'),
  },
  {
    id: 'T62-state',
    fault: 'a decision is sent again after another user decided',
    ...editOf('screens/request/model/use-step.ts', 'now.review.state !== pressed.current.state', 'false'),
    ...seenBy('failover', 'after which another user decided sends nothing'),
  },
  {
    id: 'T64-page',
    fault: 'a lost position ends the event stream of the page',
    ...editOf('core/api/live.ts', 'error.isPositionLost) return continueFromHead()', 'error.isPositionLost) return'),
    ...seenBy('failover', 'is said until one closes it'),
  },
  {
    id: 'T64-list',
    fault: 'the log keeps events that were lost',
    ...editOf('screens/log/list/use-log.ts', 'useLogResets(), ', ''),
    ...seenBy('failover', 'is said until one closes it'),
  },
]
