import supertest from 'supertest'
import { memoryStorage } from '../../../src'
import { people, startApp } from '../../support/app'
import { many } from '../events/events'

const pages = 8
const pageSize = 500

describe('GET events of a large project, from a storage that never waits', () => {
  it.each([
    ['application/json', '/events?project=large'],
    ['application/x-ndjson', '/events?project=large'],
    ['text/csv', '/events?project=large'],
    ['application/x-ndjson', '/search/events?query=nowhere'],
  ])('yields to the event loop between two pages, as %s of %s', async (accept, path) => {
    const storage = memoryStorage()
    for (let page = 0; page < pages; page += 1) await storage.appendEvents(many('large', page * pageSize, pageSize))
    let inOneIteration = 0
    let most = 0
    let read = 0
    const app = await startApp({
      storage: {
        ...storage,
        eventPage: (...args) => {
          read += 1
          inOneIteration += 1
          most = Math.max(most, inOneIteration)
          return storage.eventPage(...args)
        },
      },
    })
    let timer = setImmediate(function next() {
      inOneIteration = 0
      timer = setImmediate(next)
    })
    try {
      const headers = { Authorization: people.ann.key, Accept: accept }
      await supertest(app.server).get(`/api/admin${path}`).set(headers).expect(200)
    } finally {
      clearImmediate(timer)
      await app.close()
    }
    expect(read).toBeGreaterThanOrEqual(pages)
    // One page is sent while the next one is read.
    expect(most).toBeLessThanOrEqual(2)
  })
})
