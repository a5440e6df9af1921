// Faults of consumers and webhooks (contract 19).
const delivery = 'src/capabilities/consumers/delivery.ts'
const position = 'src/kernel/log/position.ts'
const rows = 'src/storage/sql/queries/consumers.ts'
const post = 'src/webhooks/post.ts'
const handlers = { project: 'unit', test: 'test/capabilities/consumers/consumers.test' }
const positions = { project: 'storage', test: 'test/storage/consumers.test' }
const contract = { project: 'storage', test: 'test/storage/contract.test', only: 'consumers .optional.' }
const requests = { project: 'unit', test: 'test/webhooks/delivery.test' }

module.exports = [
  {
    id: 'M62-before',
    fault: 'the position is stored before the handler resolves',
    edits: [
      {
        file: delivery,
        text: '    this.#attempt = attempt\n',
        by: '    await this.#store(next, status)\n    this.#attempt = attempt\n',
      },
    ],
    ...handlers,
  },
  {
    id: 'M62-epoch',
    fault: 'a process that lost its lease moves the position',
    edits: [{ file: rows, text: 'and epoch = ? and position = ?', by: 'and epoch + 0 * ? >= 0 and position = ?' }],
    ...contract,
  },
  {
    id: 'M62-owner',
    fault: 'another owner leases what is leased',
    edits: [{ file: rows, text: '(owner = ? or not ', by: '(owner = ? or true or not ' }],
    ...contract,
  },
  {
    id: 'M62-clock',
    fault: 'a lease begins when the transaction began',
    edits: [
      {
        file: 'src/storage/sql/postgres/index.ts',
        text: "'(extract(epoch from clock_timestamp()) * 1000)::bigint'",
        by: "'(extract(epoch from now()) * 1000)::bigint'",
      },
    ],
    ...positions,
  },
  {
    id: 'M62-fingerprint',
    fault: 'the fingerprint of the event at the position is not compared',
    edits: [
      { file: position, text: 'found.get(from.event.id) === from.event.fingerprint', by: 'found.has(from.event.id)' },
    ],
    ...positions,
  },
  {
    id: 'M62-oldest',
    fault: 'a lost position continues with what is there',
    edits: [
      {
        file: position,
        text: "found.fingerprint === event.fingerprint ? unchanged : 'lost'",
        by: 'found.fingerprint === event.fingerprint ? unchanged : unchanged',
      },
    ],
    ...positions,
  },
  {
    id: 'M62-skipped',
    fault: 'events that were removed before they were read are not reported',
    edits: [
      {
        file: position,
        text: 'oldest.id > position + 1 ? { skipped: { from: position + 1, to: oldest.id - 1 } } : unchanged',
        by: 'unchanged',
      },
    ],
    ...positions,
  },
  {
    id: 'M62-kill',
    fault: 'a batch is skipped when its process is killed',
    edits: [
      {
        file: delivery,
        text: '    this.#attempt = attempt\n',
        by: '    await this.#store(next, status)\n    this.#attempt = attempt\n',
      },
    ],
    project: 'faults',
    test: 'test/faults/consumers/kills.test',
    build: true,
  },
  {
    id: 'M63-redirect',
    fault: 'a redirect is followed',
    edits: [
      {
        file: post,
        text: '      const finish = () => {\n',
        by:
          '      const { location } = response.headers\n' +
          '      if (location !== undefined) {\n' +
          '        end()\n' +
          '        return void post(new URL(location), { body, headers }, agent, timeoutMs, signal).then(resolve, reject)\n' +
          '      }\n' +
          '      const finish = () => {\n',
      },
    ],
    ...requests,
  },
  {
    id: 'M63-loopback',
    fault: 'a loopback address is judged by its name',
    edits: [{ file: post, text: 'isLoopback(socket) ? send()', by: 'socket !== undefined ? send()' }],
    ...requests,
  },
  {
    id: 'M63-address',
    fault: 'the last error has the address',
    edits: [
      { file: post, text: 'reject(new NoResponse(describe(error)))', by: 'reject(new NoResponse(error.message))' },
    ],
    ...requests,
  },
  {
    id: 'M63-unbounded',
    fault: 'a response is read to its end',
    edits: [{ file: post, text: 'if (bytes > maxResponseBytes) response.destroy()', by: 'void maxResponseBytes' }],
    ...requests,
  },
]
