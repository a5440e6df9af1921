// Faults in what limits the cost of large change requests: lists in pages of bytes, summaries, small records.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are code.
const reads = 'src/storage/sql/queries/reads.ts'
const rows = 'src/storage/memory/rows.ts'
const handle = 'src/http/request-handler.ts'
const contract = { project: 'storage', test: 'test/storage/contract' }
const rules = { project: 'express 5', test: 'test/http/hosts/contract.test', only: 'on SQLite' }

module.exports = [
  ...['SQLite', 'Postgres'].map((database) => ({
    id: `T48-bytes-${database.toLowerCase()}`,
    fault: 'a page is not bounded by bytes',
    edits: [{ file: reads, text: 'p.place <= ? and p.bytes <= ?', by: 'p.place <= ? and ? > 0' }],
    ...contract,
    only: `contract on ${database} .*page after page end before`,
  })),
  {
    id: 'T48-bytes-memory',
    fault: 'a page is not bounded by bytes',
    edits: [{ file: rows, text: ' || (page.length > 0 && total > bytes)', by: '' }],
    ...contract,
    only: 'contract on memory .*page after page end before',
  },
  {
    id: 'T48-cursor-memory',
    fault: 'a page begins with the last item of the previous page',
    edits: [{ file: rows, text: 'newestFirst(row, after) > 0', by: 'newestFirst(row, after) >= 0' }],
    ...contract,
    only: 'contract on memory .*page after page continue',
  },
  {
    id: 'T48-cursor-sql',
    fault: 'the cursor of a page compares the time alone',
    edits: [{ file: reads, text: "'and (created_at, id) < (?, ?)'", by: "'and created_at < ? and ? > 0'" }],
    ...contract,
    only: 'contract on SQLite .*page after page continue',
  },
  ...['SQLite', 'Postgres'].map((database) => ({
    id: `T48-summary-${database.toLowerCase()}`,
    fault: 'summaries are computed from the documents when they are read',
    edits: [
      {
        file: reads,
        text: "import type { ChangeRequestSummary } from '../../../domain/content/summary'",
        by: "import { type ChangeRequestSummary, summarize } from '../../../domain/content/summary'",
      },
      { file: reads, text: "pageOf('summary', filter", by: "pageOf('document', filter" },
      {
        file: reads,
        text: 'return JSON.parse(text) as ChangeRequestSummary',
        by: 'return summarize(JSON.parse(text)) as ChangeRequestSummary',
      },
    ],
    project: 'storage',
    test: 'test/storage/router/summaries',
    only: `on ${database} returns the same for GET`,
  })),
  {
    id: 'T48-first',
    fault: 'the first byte of a list is sent before the hooks are called',
    edits: [
      {
        file: 'src/http/json-pages.ts',
        text: '  const { value: first } = await pages.next()\n',
        by: '  const first: Page<object> = { items: [], last: false }\n',
      },
    ],
    project: 'express 5',
    test: 'test/http/routes/list-pages',
    only: 'before the first byte',
  },
  {
    id: 'T49-answer',
    fault: 'the idempotency record contains the whole change request',
    edits: [
      {
        file: 'src/kernel/writer/idempotency.ts',
        text: 'record: ({ changeRequest: { id, project, comments } }) => ({',
        by: 'record: ({ changeRequest, changeRequest: { id, comments } }) => ({',
      },
      {
        file: 'src/kernel/writer/idempotency.ts',
        text: '      project,\n      changeRequestId: id,',
        by: '      project: JSON.stringify(changeRequest),\n      changeRequestId: id,',
      },
    ],
    project: 'storage',
    test: 'test/storage/idempotency',
    only: 'cost the same',
  },
  {
    id: 'T49-stale',
    fault: 'a retry returns the body of the first response',
    edits: [
      {
        file: handle,
        text: 'async function respond(',
        by: 'const replies = new Map<string, Reply>()\n\nasync function respond(',
      },
      {
        file: handle,
        text: 'const reply = await route.view(result, services)',
        by: `const first = await route.view(result, services)
  if (call && !replayed) replies.set(call.key, first)
  const reply = (call && replies.get(call.key)) || first`,
      },
    ],
    ...rules,
    only: 'on SQLite.*CR-644',
  },
  {
    id: 'T49-gone',
    fault: 'a retry does not check whether the change request still exists',
    edits: [
      {
        file: handle,
        text: '=> findVisible(services, { project, id }, actor)',
        by: '=> services.storage.find({ project }, id).then((stored) => stored ?? (actor as never))',
      },
    ],
    ...rules,
    only: 'on SQLite.*CR-645',
  },
]
