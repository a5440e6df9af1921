// Faults of reading and keeping the log of events.
const streaming = { project: 'express 5', test: 'test/http/streaming' }

module.exports = [
  {
    id: 'M13',
    fault: 'a connection is held from page to page',
    edits: [
      {
        file: 'src/storage/knex/index.ts',
        text: 'eventPage: (scope, cursor, limit) => database.eventPage(scope, cursor, limit),',
        by: `eventPage: async (scope, cursor, limit) => {
      const { client } = options.knex
      const held = options as { cursor?: unknown }
      if (held.cursor) await client.releaseConnection(held.cursor)
      const page = await database.eventPage(scope, cursor, limit)
      held.cursor = page.count === limit ? await client.acquireConnection() : undefined
      return page
    },`,
      },
    ],
    ...streaming,
    only: 'holds no connection',
  },
  {
    id: 'M14',
    fault: 'nobody gets a turn between two pages',
    edits: [{ file: 'src/http/event-stream.ts', text: '    await setImmediate()\n', by: '' }],
    project: 'faults',
    test: 'test/faults/turns',
  },
  {
    id: 'M21',
    fault: 'an error after the head is answered like any other',
    edits: [{ file: 'src/http/handle.ts', text: 'if (res.headersSent) {', by: 'if (!res) {' }],
    ...streaming,
    only: 'a later page fails',
  },
  {
    id: 'M25',
    fault: 'an event is altered after it was written',
    edits: [
      {
        file: 'src/storage/knex/sqlite.ts',
        text: '    for (const [scope, { added, lastId }] of tally.scopes) count.run(scope, added, lastId)\n',
        by: `    for (const [scope, { added, lastId }] of tally.scopes) count.run(scope, added, lastId)
    connection.exec(\`update \${table('events')} set type = type\`)\n`,
      },
    ],
    project: 'storage',
    test: 'test/storage/append-only',
  },
]
