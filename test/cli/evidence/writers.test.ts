import { join } from 'node:path'
import { databases, type OpenDatabase } from '../../support/databases'
import { jsonLines, july, openScene, removeFolders, type Scene, temporaryFolder, verify } from './support'

let scene: Scene
let out: string
const run = () => scene.run([...july, '--out', out])

beforeEach(() => {
  out = join(temporaryFolder(), 'q3')
})
afterEach(() => scene.close())
afterAll(removeFolders)

/** Writes before the server handles a request, the first one whose path has this text. */
function beforeRequest(text: string, write: () => Promise<unknown>): void {
  const { before } = scene.host
  let isDone = false
  scene.host.before = (req, res) => {
    if (isDone || !req.url?.includes(text)) return before?.(req, res)
    isDone = true
    void write().then(() => before?.(req, res))
  }
}

async function expectConsistent(): Promise<void> {
  expect(await verify(out)).toMatchObject({ status: 0, stdout: expect.stringContaining(': consistent\n') })
}

describe('evidence next to writers', () => {
  beforeEach(async () => {
    scene = await openScene()
  })

  it('reads a change request again that was applied after it was read', async () => {
    const place = await scene.approved()
    // The first request for the log comes behind the change requests.
    beforeRequest('/search/events', () => scene.as('ben').setState(place, { state: 'Applied' }))
    expect(await run()).toMatchObject({ status: 0, stderr: '' })
    expect(jsonLines(out, 'requests.ndjson').map(({ state }) => state)).toEqual(['Applied'])
    await expectConsistent()
  })

  it('leaves out what happens after the last reading', async () => {
    const place = await scene.approved()
    const { before } = scene.host
    scene.host.before = (req, res) => {
      // Everything has been read before the log ends.
      if (req.url?.includes('/search/events?') && req.headers.accept === 'application/x-ndjson')
        res.once('close', () => void scene.applied())
      before?.(req, res)
    }
    expect(await run()).toMatchObject({ status: 0 })
    expect(jsonLines(out, 'requests.ndjson').map(({ id }) => id)).toEqual([place.id])
    await expectConsistent()
  })

  it('has one that was submitted meanwhile, from its first event on', async () => {
    scene.at('2026-03-01T08:00:00.000Z')
    const change = { action: 'updateEnabled', feature: 'old', payload: { enabled: true } } as const
    const { body } = await scene.as('ann').propose({ project: 'shop', environment: 'old' }, [change])
    const place = { project: 'shop', id: body.id }
    scene.at('2026-07-10T08:00:00.000Z')
    const other = await scene.applied()
    beforeRequest('/search/events', () => scene.as('ann').setState(place, { state: 'In review' }))
    expect(await run()).toMatchObject({ status: 0 })
    const lines = jsonLines(out, 'requests.ndjson')
    expect(lines.map(({ id }) => id)).toEqual([place.id, other.id])
    const { id } = jsonLines(out, 'events.ndjson').find(({ type }) => type === 'change-request-created')
    expect(lines[0].events[0]).toBe(id)
    await expectConsistent()
  })
})

describe.each(databases)('evidence next to writers, on $name', (database) => {
  let store: OpenDatabase

  beforeEach(async () => {
    store = await database.open()
    scene = await openScene(store.storage)
  })
  afterEach(() => store.close())

  it('is consistent', async () => {
    for (let count = 0; count < 5; count += 1) await scene.approved()
    let isOver = false
    const write = async () => {
      while (!isOver) await scene.applied()
    }
    const writers = [write(), write(), write()]
    const results: unknown[] = []
    for (const name of ['first', 'second', 'third']) {
      out = join(temporaryFolder(), name)
      results.push(await run())
      await expectConsistent()
    }
    isOver = true
    await Promise.all(writers)
    expect(results).toEqual(results.map(() => expect.objectContaining({ status: 0, stderr: '' })))
  })
})
