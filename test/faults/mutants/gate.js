const table = { project: 'express 5', test: 'test/http/gate/gate-table' }
const behaviour = { project: 'express 5', test: 'test/http/gate/gate.test' }
const ungated = { project: 'express 5', test: 'test/http/gate/ungated-routes' }

module.exports = [
  {
    id: 'X7-settings',
    fault: 'the gate is open when the settings cannot be read',
    edits: [
      {
        file: 'src/gate/gate.ts',
        text: 'if (!ChangeRequestError.is(requirement) && !requirement.required)',
        by: 'if (ChangeRequestError.is(requirement) || !requirement.required)',
      },
    ],
    ...table,
    only: 'settings failing, describe an environment, somebody calls',
  },
  {
    id: 'X7-describe',
    fault: 'a request passes whose description throws',
    edits: [
      {
        file: 'src/gate/gate.ts',
        text: "await callHook(services, 'describe', () => describe(req))",
        by: "await callHook(services, 'describe', () => describe(req)).catch(() => null)",
      },
    ],
    ...table,
    only: 'settings on, describe throws an error',
  },
  {
    id: 'X7-typing-error',
    fault: 'a property that is misspelt counts as left out',
    edits: [
      {
        file: 'src/gate/described-place.ts',
        text: 'isObject && received.every((name) => names.includes(name))',
        by: 'isObject && names.length > 0',
      },
    ],
    ...table,
    only: 'settings off, describe an object with a typing error',
  },
  {
    id: 'X7-permission',
    fault: 'nobody is asked for SKIP_CHANGE_REQUEST',
    edits: [
      {
        file: 'src/gate/gate.ts',
        text: "if (await holds(services, actor, 'SKIP_CHANGE_REQUEST', place)) {",
        by: "if (actor || (await holds(services, actor, 'SKIP_CHANGE_REQUEST', place))) {",
      },
    ],
    ...table,
    only: 'settings on, describe an environment, somebody calls',
  },
  {
    id: 'X7-reason',
    fault: 'a reason that is required may be missing',
    edits: [{ file: 'src/gate/gate.ts', text: "options.reason === 'required')", by: 'false)' }],
    ...table,
    only: 'settings on, describe an environment, somebody calls',
  },
  {
    id: 'X7-recorded',
    fault: 'the events do not say that the review was skipped',
    edits: [{ file: 'src/router/index.ts', text: 'skips.current()', by: 'undefined' }],
    ...behaviour,
    only: 'leaves who skipped it',
  },
  {
    id: 'X7-parser',
    fault: 'a parser behind the gate loses who skipped the review',
    edits: [
      {
        file: 'src/gate/skip-context.ts',
        text: 'context.runInAsyncScope(emit, emitter, ...event)',
        by: 'context.asyncId() > 0 && emit.call(emitter, ...event)',
      },
    ],
    ...behaviour,
    only: 'before a parser that reads the request by itself',
  },
  {
    id: 'X7-default',
    fault: 'an environment without a setting takes no change requests when the host does not name it',
    edits: [
      {
        file: 'src/operations/change-requests/review-required.ts',
        text: 'known.length > 0 && services.directory.environments !== undefined',
        by: 'known.length > 0',
      },
    ],
    ...behaviour,
    only: 'is refused by the default where the host does not name all environments',
  },
  {
    id: 'X7-draft',
    fault: 'what is proposed by the gate voids the approvals of the caller',
    edits: [
      {
        file: 'src/operations/change-requests/add-changes.ts',
        text: 'if (input.draftOnly) requireDraft(current.changeRequest)',
        by: 'void requireDraft',
      },
    ],
    project: 'express 5',
    test: 'test/http/gate/propose',
    only: 'leaves a change request alone that is In review',
  },
  {
    id: 'X7-once',
    fault: 'a retry of a proposed write adds its change again',
    edits: [{ file: 'src/gate/propose.ts', text: 'idempotency: call && recordOf(call, call.kind),', by: '' }],
    project: 'express 5',
    test: 'test/http/gate/propose-once',
    only: 'adds the change once, and answers as the first time',
  },
  {
    id: 'X7-garbage',
    fault: 'the gate is open for settings that are none',
    edits: [
      {
        file: 'src/operations/change-requests/review-required.ts',
        text: 'return changeRequestsEnabled !== false',
        by: 'return changeRequestsEnabled === true',
      },
    ],
    ...table,
    only: 'settings of a storage that answers garbage, describe an environment, somebody calls',
  },
  {
    id: 'X7-left',
    fault: 'a caller who leaves takes along who skipped the review',
    edits: [{ file: 'src/gate/skip-context.ts', text: 'of [req, res]', by: 'of [req]' }],
    ...behaviour,
    only: 'when the caller has left',
  },
  {
    id: 'X7-strict',
    fault: 'a gate counts that a strict router asks for another slash alone',
    edits: [{ file: 'src/testing/gate/ungated-routes.ts', text: ' && owner.strict !== true', by: '' }],
    ...ungated,
    only: 'with a slash at the end, where that is another route',
  },
  {
    id: 'X7-nested',
    fault: 'the search for routes without a gate does not look into routers',
    edits: [
      {
        file: 'src/testing/gate/walk.ts',
        text: 'if (inner !== undefined) return walk(inner, paths, routers)',
        by: 'if (inner !== undefined) return above.length > 0 ? [] : walk(inner, paths, routers)',
      },
    ],
    ...ungated,
    only: 'finds a planted route',
  },
  {
    id: 'X7-order',
    fault: 'a gate behind a route counts as one before it',
    edits: [
      {
        file: 'src/testing/gate/ungated-routes.ts',
        text: 'steps.slice(0, index).some(',
        by: 'steps.some(',
      },
    ],
    ...ungated,
    only: 'is not content with a gate',
  },
]
