import { memoryStorage, type Storage } from '../../../src'
import { inProcess, type Send } from '../../storage/model/support/callers'
import { openRouter } from '../../storage/model/support/hosts'
import { ok, reviewed, shop, to } from '../../storage/model/support/walks'

const own = `${shop}/change-requests/1`

/** @see contract 2.2: whoever may comment or propose cannot make a change request that hurts others. */
describe('what a change request may hold', () => {
  let storage: Storage
  let send: Send

  beforeEach(() => {
    storage = memoryStorage()
    send = inProcess(openRouter(storage))
  })

  const stored = async () => (await storage.find({ project: 'shop' }, 1))?.changeRequest
  const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value))

  it('is bounded in the bytes of its comments, and goes on without further ones', async () => {
    await reviewed(send)
    const comment = (text: string) => send('cleo', 'POST', `${own}/comments`, { body: { text } })
    const emoji = '🙂'.repeat(10_000)
    let posted = 0
    while ((await comment(emoji)).status === 204) posted += 1
    expect(posted).toBe(26)
    const refused = await comment(emoji)
    expect([refused.status, refused.name]).toEqual([400, 'ExceedsLimitError'])
    expect([(await stored())?.comments.length, bytesOf((await stored())?.comments) <= 1024 * 1024]).toEqual([26, true])
    const body = { state: 'Approved', comment: emoji }
    expect((await send('ben', 'PUT', `${own}/state`, { body })).name).toBe('ExceedsLimitError')
    expect((await ok(to(send, 'ben', 'Approved'))).body.state).toBe('Approved')
  })

  it('is bounded in the number of its comments', async () => {
    send = inProcess(openRouter(storage, { limits: { commentsPerChangeRequest: 2 } }))
    await reviewed(send)
    const statuses: number[] = []
    for (let count = 0; count < 3; count += 1) {
      statuses.push((await send('ben', 'POST', `${own}/comments`, { body: { text: 'Well?' } })).status)
    }
    expect(statuses).toEqual([204, 204, 400])
  })

  it('is bounded in the bytes of its changes, which may be replaced by smaller ones', async () => {
    const bulky = { action: 'addStrategy', feature: 'checkout', payload: strategy(90_000) }
    const propose = () => send('ann', 'POST', `${shop}/environments/production/change-requests`, { body: bulky })
    let proposed = 0
    while ((await propose()).status === 200) proposed += 1
    expect(proposed).toBe(11)
    expect((await propose()).name).toBe('ExceedsLimitError')
    const [first] = (await stored())?.changes ?? []
    expect((await stored())?.changes).toHaveLength(11)
    const edit = (length: number) =>
      send('ann', 'PUT', `${own}/changes/${first?.id}`, { body: { ...bulky, payload: strategy(length) } })
    expect((await edit(99_000)).status).toBe(200)
    expect((await ok(to(send, 'ann', 'In review'))).body.state).toBe('In review')
  })

  function strategy(length: number) {
    return { name: 'default', constraints: [], parameters: { users: 'x'.repeat(length) } }
  }
})
