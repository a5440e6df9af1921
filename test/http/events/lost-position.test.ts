import { until } from '../../faults/support/server'
import { people, startApp, type TestApp } from '../../support/app'
import { openSource, type Source } from '../../support/events/event-source'
import { type Connection, connectTo, type DatabaseServer, openDatabaseServer } from '../../support/events/servers'

const limits = { followPollMs: 5, heartbeatMs: 20 }
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)
const seen = ({ messages }: Source) => messages.map(({ data }) => JSON.parse(data).data)

describe('the position of an event stream', () => {
  let primary: DatabaseServer
  let connection: Connection
  let app: TestApp
  const open: Source[] = []

  async function follow(lastEventId: string, query = ''): Promise<Source> {
    const url = `http://127.0.0.1:${app.port}/api/admin/events${query}`
    const headers = { Authorization: people.ann.key, 'Last-Event-ID': lastEventId }
    const source = await openSource(url, { headers })
    open.push(source)
    return source
  }

  /** The response to a request that continues there. */
  async function rejected(lastEventId: string) {
    const headers = { Accept: 'text/event-stream', 'Last-Event-ID': lastEventId }
    const { status, body } = await app.events('', { headers })
    return [status, body.details]
  }

  const lost = (lastEventId: unknown) => [
    409,
    [{ message: expect.stringContaining('Continue after the newest event.'), code: 'position-lost', lastEventId }],
  ]

  /** The position after an event. */
  async function positionOf(id: number): Promise<string> {
    const source = await follow(String(id - 1))
    await until(() => source.messages.length > 0)
    source.leave()
    return source.messages[0]?.lastEventId as string
  }

  beforeEach(async () => {
    primary = openDatabaseServer()
    await primary.append(...range(1, 150))
    connection = connectTo(primary)
    app = await startApp({ storage: connection.storage, limits })
  })

  afterEach(async () => {
    for (const source of open.splice(0)) source.leave()
    await app.close()
  })

  it('is rejected with the newest event if it is above that, or if its event has another fingerprint', async () => {
    const newest = await positionOf(150)
    expect(await rejected('151')).toEqual(lost(newest))
    expect(await rejected('151-00000000')).toEqual(lost(newest))
    expect(await rejected('50-00000000')).toEqual(lost(newest))
  })

  it('is only compared with the newest event if it is a number', async () => {
    const source = await follow('148')
    await until(() => source.messages.length === 2)
    expect(seen(source)).toEqual([149, 150])
  })

  it.each([
    ['shorter', 100, []],
    ['longer', 100, range(1_101, 1_200)],
  ] as const)('is lost when the log lost events and is now %s: the stream ends', async (_, kept, added) => {
    const position = await positionOf(150)
    const source = await follow(position)
    const filtered = await follow(position, '?project=blog')
    await until(() => source.beats.length > 0 && filtered.beats.length > 0)
    const promoted = openDatabaseServer()
    await promoted.append(...range(1, kept), ...added)
    connection.connect(promoted)
    await Promise.all([source.ended, filtered.ended])
    expect([source.messages, filtered.messages]).toEqual([[], []])

    const newest = await positionOf(kept + added.length)
    expect(await rejected(source.lastEventId())).toEqual(lost(newest))
    const again = await follow(newest)
    await promoted.append(7)
    await until(() => again.messages.length === 1)
    expect(seen(again)).toEqual([7])
  })

  it('is not lost when the operator removes all events', async () => {
    const position = await positionOf(150)
    const source = await follow(position)
    await primary.removeEvents(150)
    await app.router.events.recount()
    const again = await follow(position)
    await primary.append(151)
    await until(() => source.messages.length === 1 && again.messages.length === 1)
    expect([seen(source), seen(again)]).toEqual([[151], [151]])
  })

  it('of an open stream is kept while its process reads from a standby that is behind', async () => {
    const [slow, fast] = await Promise.all([follow('149'), follow(await positionOf(150))])
    await until(() => slow.messages.length === 1)
    const standby = openDatabaseServer()
    await standby.append(...range(1, 100))
    connection.connect(standby, { recovery: true })
    await until(async () => (await app.router.health()).lastEventId === 100 && fast.beats.length > 2)
    await standby.append(...range(101, 151))
    connection.connect(standby)
    await until(() => slow.messages.length === 2 && fast.messages.length === 1)
    expect([seen(slow), seen(fast)]).toEqual([[150, 151], [151]])
  })
})
