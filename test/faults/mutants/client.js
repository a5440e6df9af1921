// Faults of the client that its tests detect over real sockets.
const editOf = (file, text, by) => ({ edits: [{ file: `src/client/${file}`, text, by }] })
const seenBy = (test, only) => ({ project: 'page', test: `test/client/${test}.test`, only })

module.exports = [
  {
    id: 'T62-client',
    fault: 'a decision is repeated without reading whether it was stored',
    ...editOf('program-calls.ts', 'if (!isRepeat) return send()', 'return send()'),
    ...seenBy('retry', 'is found by a read, and not sent again'),
  },
  {
    id: 'T62-revision',
    fault: 'a decision without a revision is repeated',
    ...editOf('program-calls.ts', 'if (options.ifMatch === undefined) return send()', ''),
    ...seenBy('retry', 'is not repeated if it writes without a key or revision'),
  },
  {
    id: 'T62-key',
    fault: 'a write without an Idempotency-Key is repeated',
    ...editOf('send.ts', 'request.method === undefined || request.idempotencyKey !== undefined', 'true'),
    ...seenBy('retry', 'is not repeated if it writes without a key or revision'),
  },
  {
    id: 'T62-success',
    fault: 'a success without the entity tag of the router counts',
    ...editOf('send.ts', '!(success.hasTag && etag === null)', 'true'),
    ...seenBy('successes', 'accepts the success that the route declares'),
  },
  {
    id: 'T62-redirect',
    fault: 'the redirect of a sign-in proxy is followed',
    ...editOf('send.ts', "redirect: 'manual'", "redirect: 'follow'"),
    ...seenBy('errors', 'is SignInRequired for what a sign-in proxy sends'),
  },
  {
    id: 'T64-client',
    fault: 'the position of a stream is read as a number',
    ...editOf('event-stream.ts', 'id: ?(.+)$', 'id: ?(\\d+)'),
    ...seenBy('follow', 'sends the position as the server sent it'),
  },
]
