import { until } from '../../faults/support/server'
import type { TestApp } from '../../support/app'
import { databases, type OpenDatabase, openAgain } from '../../support/databases'
import { openSource } from '../../support/events/event-source'
import { asAdmin, ask, loggedEvent, questions, startLogApp, warmUp } from '../../support/events/log-questions'

const blockSize = 32
const count = 1_300
/** The number of events of the project with the type that followers wait for. */
const wanted = Array.from({ length: count }, (_, n) => n).filter((n) => n % 3 !== 0).length

describe.each(databases)('a process on $name, after a recount in another process', ({ open }) => {
  let recounting: OpenDatabase
  const opened: { close(): Promise<unknown> }[] = []

  beforeAll(async () => {
    recounting = await open({ blockSize })
    await append(0, count)
    await until(async () => (await sealedTo()) === lastBlock(count))
    const app = await start()
    await app.propose(
      { action: 'updateEnabled', feature: 'f', payload: { enabled: true } },
      { key: asAdmin.Authorization },
    )
  })
  afterEach(async () => {
    for (const { close } of opened.splice(0).reverse()) await close()
  })
  afterAll(() => recounting?.close())

  const append = async (first: number, length: number) => {
    for (let n = first; n < first + length; n += 250) {
      const rows = Array.from({ length: Math.min(250, first + length - n) }, (_, at) =>
        loggedEvent(n + at, 'shop', 'a'),
      )
      await recounting.storage.appendEvents(rows)
    }
  }
  const sealedTo = async () => Number((await recounting.knex('ffcr_event_index').first('sealed_to')).sealed_to)
  const lastBlock = (events: number) => Math.floor((events + 1) / blockSize) * blockSize - 1

  /** An app with its own storage, like another process. */
  async function start(): Promise<TestApp> {
    const other = openAgain(recounting.place)
    opened.push(other)
    const app = await startLogApp(other.storage)
    opened.push(app)
    return app
  }

  it.each(questions)('responds to the first request for $name like a new process', async (question) => {
    const before = await ask(await start(), question, { head: count })
    const old = await start()
    await ask(old, warmUp, { head: 0 })
    await recounting.storage.recountEvents?.()

    const answer = await ask(old, question, { head: count })
    expect([answer.status, answer]).toEqual([200, before])
  })

  it.each([
    ['application/x-ndjson', (body: string) => body.split('\n').filter((line) => line.startsWith('{"id"')).length],
    ['text/csv', (body: string) => body.split('\n').filter((line) => line.includes(',feature-updated,')).length],
  ])('has every event in an export as %s with recounts between its pages', async (accept, countOf) => {
    const other = openAgain(recounting.place)
    opened.push(other)
    let pages = 0
    const { eventPage } = other.storage
    const app = await startLogApp({
      ...other.storage,
      async eventPage(...query) {
        pages += 1
        await recounting.storage.recountEvents?.()
        return eventPage(...query)
      },
    })
    opened.push(app)
    await ask(app, warmUp, { head: 0 })
    const url = `http://127.0.0.1:${app.port}/api/admin/search/events?type=IS:feature-updated`
    const body = await (await fetch(url, { headers: { ...asAdmin, Accept: accept } })).text()

    expect(pages).toBeGreaterThan(1)
    expect(countOf(body)).toBe(wanted)
    expect(body).toContain(accept === 'text/csv' ? `#trailer,${wanted}` : `"count":${wanted}`)
  })

  it('gives a follower that catches up every event once, with a recount before each of its reads', async () => {
    const other = openAgain(recounting.place)
    opened.push(other)
    const { eventPage } = other.storage
    const app = await startLogApp({
      ...other.storage,
      async eventPage(...query) {
        await recounting.storage.recountEvents?.()
        return eventPage(...query)
      },
    })
    opened.push(app)
    await ask(app, warmUp, { head: 0 })
    const url = `http://127.0.0.1:${app.port}/api/admin/search/events?type=IS:feature-updated&after=0`
    const source = await openSource(url, { headers: asAdmin })
    await until(() => Number.parseInt(source.lastEventId(), 10) >= count)
    source.leave()

    const ids = source.messages.map(({ lastEventId }) => Number.parseInt(lastEventId, 10))
    expect(ids).toEqual(Array.from({ length: count }, (_, n) => n + 1).filter((id) => (id - 1) % 3 !== 0))
  })
})
