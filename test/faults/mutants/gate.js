const table = { project: 'express 5', test: 'test/http/gate/gate-table' }
const behaviour = { project: 'express 5', test: 'test/http/gate/gate.test' }
const places = { project: 'express 5', test: 'test/http/gate/places' }
const propose = { project: 'express 5', test: 'test/http/gate/propose.test' }
const ungated = { project: 'express 5', test: 'test/http/gate/ungated-routes' }

module.exports = [
  {
    id: 'X7-settings',
    fault: 'the gate is open when the settings cannot be read',
    edits: [
      {
        file: 'src/gate/gate.ts',
        text: 'gated.push({ place, requirement, unreadable: toChangeRequestError(services.storage, error) })',
        by: 'void [requirement, error]',
      },
    ],
    ...table,
    only: 'settings failing, describe an environment, a known caller',
  },
  {
    id: 'X7-describe',
    fault: 'a request passes although describe throws',
    edits: [
      {
        file: 'src/gate/gate.ts',
        text: 'return { error }',
        by: 'return { answer: error && null }',
      },
    ],
    ...table,
    only: 'settings on, describe throws an error, a known caller',
  },
  {
    id: 'X7-typing-error',
    fault: 'a misspelled property is ignored',
    edits: [
      {
        file: 'src/gate/described-places.ts',
        text: 'if (received.every((name) => names.includes(name))) return value',
        by: 'if (received.length > 0) return value',
      },
    ],
    ...table,
    only: 'settings off, describe an object with a typing error, a known caller',
  },
  {
    id: 'X7-permission',
    fault: 'SKIP_CHANGE_REQUEST is not required',
    edits: [
      {
        file: 'src/gate/gate.ts',
        text: 'if (!(await maySkip(hasPermission, skipIn))) return undefined',
        by: 'if (!actor && !(await maySkip(hasPermission, skipIn))) return undefined',
      },
    ],
    ...table,
    only: 'settings on, describe an environment, a known caller',
  },
  {
    id: 'X7-remembered',
    fault: 'a place counts as gated without a read, although it was disabled',
    edits: [
      {
        file: 'src/gate/gate.ts',
        text: 'const skipped = await skip(places).catch(() => undefined)',
        by: 'const skipped = await skip(places)\n    if (skipped === undefined) throw new Error()',
      },
    ],
    project: 'storage',
    test: 'test/storage/router/gate',
    only: 'opens at once',
  },
  {
    id: 'X7-disabled',
    fault: 'a place where change requests are disabled is remembered',
    edits: [
      {
        file: 'src/gate/recently-gated.ts',
        text: '    if (!isGated) {',
        by: '    if (!isGated && name === undefined) {',
      },
    ],
    project: 'express 5',
    test: 'test/http/gate/recently-gated',
  },
  {
    id: 'X7-reason',
    fault: 'a required reason may be missing',
    edits: [{ file: 'src/gate/gate.ts', text: "options.reason === 'required')", by: 'false)' }],
    ...table,
    only: 'settings on, describe an environment, a known caller',
  },
  {
    id: 'X7-recorded',
    fault: 'the events do not state that the review was skipped',
    edits: [{ file: 'src/router/index.ts', text: 'skips.current()', by: 'undefined' }],
    ...behaviour,
    only: 'records who skipped it',
  },
  {
    id: 'X7-parser',
    fault: 'a body parser after the gate loses the record of the skipped review',
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
    fault: 'change requests are disabled by default when the host does not list all environments',
    edits: [
      {
        file: 'src/kernel/host/gated-environments.ts',
        text: 'const complete = known.length > 0',
        by: 'const complete = known.length > 0 || stored.length > 0',
      },
    ],
    ...behaviour,
    only: 'is rejected by the default where the host does not name all environments',
  },
  {
    id: 'X7-draft',
    fault: 'a change proposed by the gate voids the approvals of the caller',
    edits: [
      {
        file: 'src/capabilities/proposals/add-changes.ts',
        text: 'if (refused !== undefined) throw refused',
        by: 'void refused',
      },
    ],
    ...propose,
    only: 'does not edit a change request that is',
  },
  {
    id: 'X7-in-review',
    fault: 'the gate adds no change in review, although there are no votes',
    edits: [
      {
        file: 'src/domain/steps/votes.ts',
        text: "(phase !== 'review' || approvals.length > 0)",
        by: "(phase !== 'review' || approvals.length >= 0)",
      },
    ],
    ...propose,
    only: 'adds the change to one in review while nobody has voted on it',
  },
  {
    id: 'X7-no-answer',
    fault: 'a request stays open when the `answer` hook sends nothing',
    edits: [
      {
        file: 'src/gate/propose.ts',
        text: "if (!res.headersSent && !res.closed) await new Promise((resolve) => res.once('close', resolve))",
        by: '',
      },
    ],
    ...propose,
    only: 'responds 202 itself when the `answer` hook returns without an answer',
  },
  {
    id: 'X7-begun',
    fault: 'a response that the host completes after returning is cut off',
    edits: [{ file: 'src/gate/propose.ts', text: 'if (hasReturned && res.headersSent) return', by: '' }],
    ...propose,
    only: 'does not touch a response that the host has begun',
  },
  {
    id: 'X7-strictest',
    fault: 'a write to a whole project is proposed in the environment with the lowest minimum',
    edits: [{ file: 'src/gate/review-required.ts', text: 'Math.max(', by: 'Math.min(' }],
    ...propose,
    only: 'proposes it in the environment with the highest minimum',
  },
  {
    id: 'X7-list',
    fault: 'the permission in one of several places is enough',
    edits: [
      {
        file: 'src/gate/gate.ts',
        text: 'await skip(gated.flatMap(',
        by: 'await skip(gated.slice(0, 1).flatMap(',
      },
    ],
    ...places,
    only: 'is rejected without the permission in another one',
  },
  {
    id: 'X7-list-proposed',
    fault: 'a write to several places is proposed in the first one',
    edits: [
      {
        file: 'src/gate/gate.ts',
        text: 'if (others.length === 0 && environment !== undefined)',
        by: 'if (environment !== undefined && others.length < 9)',
      },
    ],
    ...places,
    only: 'is proposed if exactly one place takes change requests',
  },
  {
    id: 'X7-stranger',
    fault: 'an unauthenticated caller learns that describe fails',
    edits: [{ file: 'src/gate/gate.ts', text: 'await identify(pipeline, req)\n    throw error', by: 'throw error' }],
    ...places,
    only: 'returns only a 401 to an unknown caller',
  },
  {
    id: 'X7-flood',
    fault: 'each request whose describe fails is logged',
    edits: [
      {
        file: 'src/gate/gate.ts',
        text: 'isDescribeFault(error) ? faultLogger : logger',
        by: 'isDescribeFault(faultLogger) ? faultLogger : logger',
      },
    ],
    ...places,
    only: 'is logged once per gate and minute',
  },
  {
    id: 'X7-once',
    fault: 'a retry of a proposed write adds its change again',
    edits: [
      { file: 'src/gate/propose.ts', text: 'ifMatch: undefined,', by: 'ifMatch: undefined, idempotency: undefined,' },
    ],
    project: 'express 5',
    test: 'test/http/gate/propose-once',
    only: 'adds the change once, and responds like the first time',
  },
  {
    id: 'X7-once-place',
    fault: 'a retry for another environment returns the change request of the first one',
    edits: [{ file: 'src/http/request-handler.ts', text: 'body: { scope, body } })', by: 'body })' }],
    project: 'express 5',
    test: 'test/http/gate/propose-once',
    only: 'another environment',
  },
  {
    id: 'X7-garbage',
    fault: 'the gate is open for invalid settings',
    edits: [
      {
        file: 'src/kernel/host/gated-environments.ts',
        text: 'return changeRequestsEnabled !== false',
        by: 'return changeRequestsEnabled === true',
      },
    ],
    ...table,
    only: 'settings invalid, describe an environment, a known caller',
  },
  {
    id: 'X7-left',
    fault: 'the record of a skipped review is lost when the caller disconnects',
    edits: [{ file: 'src/gate/skip-context.ts', text: 'of [req, res]', by: 'of [req]' }],
    ...behaviour,
    only: 'after the caller has disconnected',
  },
  {
    id: 'X7-strict',
    fault: 'a gate counts although a strict router applies it only to the path with another slash',
    edits: [{ file: 'src/testing/gate/ungated-routes.ts', text: ' && owner.strict !== true', by: '' }],
    ...ungated,
    only: 'with a slash at the end, where that is another route',
  },
  {
    id: 'X7-nested',
    fault: 'the search for ungated routes skips nested routers',
    edits: [
      {
        file: 'src/testing/gate/walk.ts',
        text: 'return walkFrom(deeper',
        by: 'return first.length > 1 ? [] : walkFrom(deeper',
      },
    ],
    ...ungated,
    only: 'finds a planted route',
  },
  {
    id: 'X7-order',
    fault: 'a gate after a route counts as a gate before it',
    edits: [
      {
        file: 'src/testing/gate/ungated-routes.ts',
        text: 'steps.slice(0, index).some(',
        by: 'steps.some(',
      },
    ],
    ...ungated,
    only: 'lists the route for a gate',
  },
  {
    id: 'X7-slash',
    fault: 'a gate counts although a doubled slash bypasses it in Express 4',
    edits: [
      { file: 'src/testing/gate/ungated-routes.ts', text: 'takesSlash && path.length < gate.path.length', by: 'false' },
    ],
    ...ungated,
    project: 'express 4',
    only: 'lists the route for a gate above a mounted router',
  },
  {
    id: 'X7-slash-in-list',
    fault: 'a gate in a list with the path `*` counts in Express 5, which requires one more slash for it',
    edits: [{ file: 'src/testing/gate/path-pattern.ts', text: "(path === '/' ? undefined : path)", by: 'path' }],
    ...ungated,
    only: 'lists the route for a gate in a list with the path of all',
  },
  {
    id: 'X7-uncertain',
    fault: 'routes are listed that no request reaches without a gate',
    edits: [
      {
        file: 'src/testing/gate/ungated-routes.ts',
        text: 'takesSlash && path.length < gate.path.length',
        by: 'takesSlash || path.length < gate.path.length',
      },
    ],
    project: 'express 5',
    test: 'test/http/gate/random-apps',
    only: 'lists no other routes',
  },
  {
    id: 'X7-files',
    fault: 'a function is taken for middleware because static files follow it',
    edits: [{ file: 'src/testing/gate/ungated-routes.ts', text: " && kind !== 'express'", by: '' }],
    ...ungated,
    only: 'a function at a path that only files come after',
  },
  {
    id: 'X7-opaque',
    fault: 'a function counts as one of Express because of its name',
    edits: [
      {
        file: 'src/testing/gate/express-functions.ts',
        text: ' && functions[handler.name]?.test(String(handler)) === true',
        by: '',
      },
    ],
    project: 'express 5',
    test: 'test/http/gate/opaque-handlers',
    only: 'lists a function that has the name of one of Express',
  },
]
