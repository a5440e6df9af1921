// Faults in what runs between a request and the operation.
const guard = 'src/validation/core/guard.ts'
const registry = 'src/validation/core/registry.ts'
const admission = 'src/http/admission.ts'
const checkPermissions = 'await requireAnyPermission(hasPermission, route.permissions, scope)'
const hosts = { project: 'express 5', test: 'test/http/hosts/hosts.test' }
const bodies = { project: 'unit', test: 'test/(validation/core/guard|capabilities/proposals/(changes-body|hostile))' }
const answers = { project: 'express 5', test: 'test/http/pipeline/openapi-answers', only: 'every kind of rejection' }

module.exports = [
  {
    id: 'M15',
    fault: 'the schema of an action is looked up in a plain object',
    edits: [
      {
        file: registry,
        text: 'changeSchemas.get(action)',
        by: '(Object.fromEntries(changeSchemas) as Record<string, object>)[action]',
      },
    ],
    ...bodies,
    only: 'the action is rejected',
  },
  {
    id: 'M16',
    fault: 'all errors of a body are collected',
    why: 'No schema has uniqueItems, so that half of it cannot be made here.',
    edits: [{ file: registry, text: '    strict: true,\n', by: '    strict: true,\n    allErrors: true,\n' }],
    ...bodies,
    only: 'validated up to its first error',
  },
  {
    id: 'M17-depth',
    fault: 'the nesting of a body has no limit',
    edits: [{ file: guard, text: 'if (stack.length === limits.depth) {', by: 'if (stack.length === Infinity) {' }],
    ...bodies,
    only: 'nesting',
  },
  {
    id: 'M17-text',
    fault: 'a body that the host read as text is parsed',
    edits: [
      {
        file: 'src/http/body.ts',
        text: "  if (typeof body === 'string' || ",
        by: "  if (typeof body === 'string') req.body = JSON.parse(body)\n  if (",
      },
    ],
    ...hosts,
  },
  {
    id: 'M19',
    fault: 'a body is parsed where req.body is undefined',
    edits: [
      {
        file: 'src/http/body.ts',
        text: 'if (req.readable && !req.readableDidRead) {',
        by: 'if (req.body === undefined) {',
      },
    ],
    ...hosts,
  },
  {
    id: 'M19-always',
    fault: 'a body is always parsed',
    edits: [
      {
        file: 'src/http/body.ts',
        text: 'if (req.readable && !req.readableDidRead) {',
        by: 'if (Number(req.httpVersionMajor) > 0) {',
      },
    ],
    ...hosts,
  },
  {
    id: 'M23-key',
    fault: 'a route does not authenticate the caller',
    edits: [
      {
        file: 'src/http/request-handler.ts',
        text: 'const actor = await identify(pipeline, req)',
        by: "const actor = route.path === '/events' ? { id: 1, grants: [{ permission: 'ADMIN' }] } : await identify(pipeline, req)",
      },
    ],
    ...answers,
  },
  {
    id: 'M23-permission',
    fault: 'a route requires no permission',
    edits: [
      {
        file: admission,
        text: checkPermissions,
        by: `if (route.path !== '/events') ${checkPermissions}`,
      },
    ],
    ...answers,
  },
  {
    id: 'M23-read-key',
    fault: 'a review route does not authenticate the caller',
    edits: [
      {
        file: 'src/http/request-handler.ts',
        text: 'const actor = await identify(pipeline, req)',
        by: "const actor = route.operationId === 'getChangeRequest' ? { id: 1, grants: [{ permission: 'ADMIN' }] } : await identify(pipeline, req)",
      },
    ],
    ...answers,
  },
  {
    id: 'M23-read-permission',
    fault: 'a review route requires no permission',
    edits: [
      {
        file: admission,
        text: checkPermissions,
        by: `if (route.operationId !== 'getChangeRequest') ${checkPermissions}`,
      },
    ],
    project: 'express 5',
    test: 'test/http/matrix/matrix',
    only: 'by caller and target getChangeRequest',
  },
  {
    id: 'M27-nul',
    fault: 'NUL is accepted',
    edits: [{ file: guard, text: "if (text.includes('\\0'))", by: "if (text === '\\0never')" }],
    ...bodies,
    only: 'a body is rejected with the path|change are rejected',
  },
  {
    id: 'M27-surrogate',
    fault: 'half a surrogate pair is accepted',
    edits: [
      { file: guard, text: "loneSurrogate.test(text) ? 'half of a surrogate pair' : undefined", by: 'undefined' },
    ],
    ...bodies,
    only: 'change are rejected',
  },
]
