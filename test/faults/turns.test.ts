import { memoryStorage } from '../../src/index'
import { startApp } from '../support/app'
import { many } from './events'

const pages = 8
const pageSize = 500

describe('GET events of a large project, from a storage that answers at once', () => {
  it('lets other work have its turn between two pages', async () => {
    const storage = memoryStorage()
    for (let page = 0; page < pages; page += 1) await storage.appendEvents(many('large', page * pageSize, pageSize))
    let inOneTurn = 0
    let most = 0
    let read = 0
    const app = await startApp({
      storage: {
        ...storage,
        eventPage: (...asked) => {
          read += 1
          inOneTurn += 1
          most = Math.max(most, inOneTurn)
          return storage.eventPage(...asked)
        },
      },
    })
    let turn = setImmediate(function next() {
      inOneTurn = 0
      turn = setImmediate(next)
    })
    try {
      const { body } = await app.events('?project=large').expect(200)
      expect(body.events).toHaveLength(pages * pageSize)
    } finally {
      clearImmediate(turn)
      await app.close()
    }
    expect(read).toBeGreaterThanOrEqual(pages)
    // One is sent while the next is read.
    expect(most).toBeLessThanOrEqual(2)
  })
})
