// Faults in reading and storing the event log.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are code.
const streaming = { project: 'express 5', test: 'test/http/pipeline/streaming' }
const exporting = 'src/capabilities/log/export.ts'
const csvCells = { project: 'express 5', test: 'test/http/events/csv' }
const wholeExports = { project: 'express 5', test: 'test/http/events/export' }
const restored = { project: 'faults', test: 'test/faults/events/restored', only: 'responds to the first request' }
const eventIndex = 'src/storage/sql/event-index/event-index.ts'

module.exports = [
  {
    id: 'M4-resume',
    fault: 'Last-Event-ID is ignored',
    edits: [
      {
        file: 'src/capabilities/log/negotiate.ts',
        text: 'parseLastEventId(context.lastEventId) ?? start',
        by: 'start',
      },
    ],
    project: 'express 5',
    test: 'test/http/events/sse',
    only: 'text/event-stream continues',
  },
  ...[streaming, wholeExports].map((tests, index) => ({
    id: ['M13', 'M13-export'][index],
    fault: 'a connection is held between pages',
    edits: [
      {
        file: 'src/storage/sql/storage.ts',
        text: 'eventPage: (filter, cursor, limit, grouped) => database.eventPage(filter, cursor, limit, grouped),',
        by: `eventPage: async (filter, cursor, limit, grouped) => {
      const { client } = options.knex
      const held = options as { cursor?: unknown }
      if (held.cursor) await client.releaseConnection(held.cursor)
      const page = await database.eventPage(filter, cursor, limit, grouped)
      held.cursor = page.count === limit ? await client.acquireConnection() : undefined
      return page
    },`,
      },
    ],
    ...tests,
    only: 'holds no connection',
  })),
  ...['application/json', 'application/x-ndjson', 'text/csv'].map((type) => ({
    id: type === 'application/json' ? 'M14' : `M14-${type.replace(/.*[-/]/, '')}`,
    fault: 'the event loop is blocked between two pages',
    edits: [
      {
        file: 'src/http/stream.ts',
        text: '    for (let count = yields; count > 0; count -= 1) await setImmediate()\n',
        by: '',
      },
    ],
    project: 'faults',
    test: 'test/faults/apply/yields',
    only: type,
  })),
  {
    id: 'M14-wrapped',
    fault: 'a follower is written around what the host app has wrapped',
    edits: [{ file: 'src/http/stream.ts', text: ' || res.write !== OutgoingMessage.prototype.write', by: '' }],
    project: 'express 5',
    test: 'test/http/events/sse',
    only: 'writes to the response if the host app has wrapped it',
  },
  {
    id: 'M14-nothing-found',
    fault: 'the event loop is blocked while pages without a hit are read',
    edits: [
      {
        file: 'src/capabilities/log/export.ts',
        text: 'if (next.value.count === 0) yield []',
        by: 'if (next.value.count === 0) continue',
      },
    ],
    project: 'faults',
    test: 'test/faults/apply/yields',
    only: 'query=nowhere',
  },
  ...[
    { id: 'M21', ...streaming, only: 'a later page fails' },
    { id: 'M21-export', ...wholeExports, only: 'in NDJSON ends without a trailer' },
  ].map((tests) => ({
    ...tests,
    fault: 'an error after the headers are sent is handled like any other',
    edits: [{ file: 'src/http/request-handler.ts', text: 'if (res.headersSent) {', by: 'if (!res) {' }],
  })),
  {
    id: 'M29-no-trailer',
    fault: 'an export ends without its trailer',
    edits: [{ file: exporting, text: '  yield [Buffer.from(format.trailer(trailer))]\n', by: '' }],
    ...wholeExports,
    only: 'has the whole log',
  },
  {
    id: 'M29-trailer-after-error',
    fault: 'an interrupted export ends with a trailer',
    edits: [
      {
        file: exporting,
        text: 'next = await rest.next()) {',
        by: 'next = await rest.next().catch(() => ({ done: true as const, value: undefined }))) {',
      },
    ],
    ...wholeExports,
    only: 'ends without a trailer',
  },
  {
    id: 'M29-count',
    fault: 'the trailer counts the events read, not those sent',
    edits: [{ file: exporting, text: 'count: count + page.count', by: 'count: count + page.searched' }],
    ...wholeExports,
    only: 'has the events of the list',
  },
  ...[
    { id: 'M29-formula', project: 'express 5', test: 'test/http/events/csv' },
    { id: 'M29-formula-export', ...wholeExports, only: 'formulas escaped' },
  ].map((tests) => ({
    ...tests,
    fault: 'a cell of a CSV export can be a formula',
    edits: [
      {
        file: 'src/capabilities/log/csv.ts',
        text: 'return formula.test(text) ?',
        by: 'return text === formula.source ?',
      },
    ],
  })),
  {
    id: 'T55-json',
    fault: 'the JSON cells of a CSV export contain semicolons',
    edits: [{ file: 'src/capabilities/log/csv.ts', text: ".replaceAll(';', '\\\\u003b')", by: '' }],
    ...csvCells,
    only: 'separates by ";" stays one cell',
  },
  {
    id: 'T55-text',
    fault: 'a CSV text with a semicolon or a tab is not quoted',
    edits: [{ file: 'src/capabilities/log/csv.ts', text: '[",;\\t\\r\\n]/', by: '[",\\r\\n]/' }],
    ...csvCells,
    only: 'separates by ".+" stays one cell',
  },
  {
    id: 'T55-formula',
    fault: 'the text after a semicolon or a tab in a CSV cell can be a formula',
    edits: [{ file: 'src/capabilities/log/csv.ts', text: 'text.replace(formulaWithin, "$&\'")', by: 'text' }],
    ...csvCells,
    only: 'contains no formula after a separator',
  },
  {
    id: 'index-tail',
    fault: 'a search skips events that are not indexed yet',
    edits: [
      {
        file: 'src/storage/sql/event-index/event-index.ts',
        text: '  return range.above + 1 < range.below ? { range } : {}',
        by: '  return range.above + 1 < range.below && sealedTo < 0 ? { range } : {}',
      },
    ],
    project: 'storage',
    test: 'test/storage/contract',
    only: 'contract on SQLite searchEvents',
  },
  {
    id: 'index-tail-replaced',
    fault: 'the events after the index are remembered after the database was restored',
    edits: [{ file: eventIndex, text: 'if (isSameIndex && !isSameTail) {', by: 'if (isSameIndex && !isSameIndex) {' }],
    project: 'storage',
    test: 'test/storage/events/tail',
    only: 'of a restored database',
  },
  {
    id: 'index-half-block',
    fault: 'a block is added before it is complete',
    edits: [
      {
        file: 'src/storage/sql/event-index/sealer.ts',
        text: 'return lastId < last ? undefined',
        by: 'return lastId < first ? undefined',
      },
    ],
    project: 'storage',
    test: 'test/storage/(contract|events/stored-counts)',
    only: 'contract on (SQLite|Postgres) searchEvents|stored counts on',
  },
  {
    id: 'index-sealed-twice',
    fault: 'two processes add the same block',
    edits: [
      {
        file: 'src/storage/sql/postgres/events/sealing.ts',
        text: 'where sealed_to = $7 and generation = $1\n',
        by: 'where $7::bigint is not null and generation = $1\n',
      },
      {
        file: 'src/storage/sql/postgres/events/sealing.ts',
        text: 'from ${from}, json_to_recordset($3::json) as p(term text, positions text)',
        by: 'from ${from}, json_to_recordset($3::json) as p(term text, positions text) on conflict do nothing',
      },
      {
        file: 'src/storage/sql/postgres/events/sealing.ts',
        text: 'from ${from} where $5::text is not null',
        by: 'from ${from} where $5::text is not null on conflict do nothing',
      },
    ],
    project: 'storage',
    test: 'test/storage/events/stored-counts',
    only: 'on Postgres match the events after any writes of 3 processes',
  },
  {
    id: 'index-total-bound',
    fault: 'an incomplete total is reported as exact',
    edits: [
      {
        file: 'src/storage/sql/event-index/known-index.ts',
        text: 'if (hits.compared >= maxCompared) return { count, isExact: false }',
        by: 'if (hits.compared >= maxCompared) return { count, isExact: true }',
      },
    ],
    project: 'storage',
    test: 'test/storage/events/event-index',
  },
  {
    id: 'M25',
    fault: 'an event is updated after it was written',
    edits: [
      {
        file: 'src/storage/sql/sqlite/write-entries.ts',
        text: '    const outcomes = entries.map(',
        by: `    connection.exec(\`update \${names.table('events')} set type = type\`)
    const outcomes = entries.map(`,
      },
    ],
    project: 'express 5',
    test: 'test/http/hosts/contract.test',
    only: 'on SQLite.*CR-1',
  },
  {
    id: 'T64-seen',
    fault: 'the index version that the statement read is not compared',
    edits: [
      { file: eventIndex, text: 'if (isSameIndex && (mismatches', by: 'if ((isSameIndex || true) && (mismatches' },
    ],
    project: 'storage',
    test: 'test/storage/events/recounted-elsewhere',
    only: 'responds to the first request',
  },
  {
    id: 'T64-fingerprint',
    fault: 'the fingerprint of a block is not compared',
    edits: [
      {
        file: 'src/storage/sql/event-index/index-state.ts',
        text: 'and b.fingerprint = ?)',
        by: 'and (b.fingerprint = ? or true))',
      },
    ],
    ...restored,
  },
  ...[
    ['SQLite', 'from named where is_match)'],
    ['Postgres', 'from named where is_match`'],
  ].map(([name, text]) => ({
    id: `T64-filter-${name.toLowerCase()}`,
    fault: 'the filter is not applied to events that are read by their ids',
    edits: [
      {
        file: `src/storage/sql/${name.toLowerCase()}/events/statements.ts`,
        text,
        by: text.replace(' where is_match', ''),
      },
    ],
    project: 'storage',
    test: 'test/storage/events/event-index',
    only: `on ${name} never returns an event that does not match`,
  })),
  {
    id: 'T64-tag',
    fault: 'the ETag of a list depends only on the id of the newest event',
    edits: [{ file: 'src/kernel/etag.ts', text: '-${total}-${fingerprint}"', by: '-${total}"' }],
    ...restored,
  },
  {
    id: 'T64-follower',
    fault: 'a follower continues after the log was restored to an earlier state',
    edits: [
      {
        file: 'src/kernel/log/event-feed.ts',
        text: 'isReplaced(before, head)) await',
        by: '!isReplaced(before, head)) await',
      },
    ],
    project: 'unit',
    test: 'test/kernel/events/feed',
    only: 'restored',
  },
  ...[
    ['SQLite', '(? is null or exists'],
    ['Postgres', '($10::bigint is null or exists'],
  ].map(([name, text]) => ({
    id: `T64-sealed-${name.toLowerCase()}`,
    fault: 'a block is added although its events were replaced after they were read',
    edits: [
      {
        file: `src/storage/sql/${name.toLowerCase()}/events/sealing.ts`,
        text,
        by: text.replace('or exists', 'or true or exists'),
      },
    ],
    project: 'storage',
    test: 'test/storage/events/event-index',
    only: `on ${name} adds no block`,
  })),
  {
    id: 'M29-offset-left',
    fault: 'the rest of an offset is lost where a search stops',
    edits: [{ file: eventIndex, text: 'isFull || resumeAt === undefined ? 0 : left', by: '0 * left' }],
    project: 'storage',
    test: 'test/storage/events/event-index',
    only: 'rest of an offset',
  },
  {
    id: 'M61-creators',
    fault: 'the remembered creators of one project are returned for another one',
    edits: [
      {
        file: 'src/storage/sql/event-index/known-index.ts',
        text: '[projects ?? null, state, tail.to]',
        by: '[state, tail.to]',
      },
    ],
    project: 'storage',
    test: 'test/storage/events/tail.test',
  },
]
