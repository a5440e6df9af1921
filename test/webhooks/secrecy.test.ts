import { inspect } from 'node:util'
import { memoryStorage } from '../../src/index'
import { webhooks } from '../../src/webhooks/index'
import { consumerApp, until } from '../support/consumers/consumer-app'
import { secret } from './support/driver'
import { startReceiver } from './support/receiver'

describe('a router with webhooks that fail', () => {
  it('writes no secret, address, header or body to its log, its database, health() and the page', async () => {
    const receiver = await startReceiver((res, index) => {
      if (index % 3 === 0) res.writeHead(500, { Location: 'https://s3cret.example' }).end('s3cret-response')
      else if (index % 3 === 1) res.destroy()
      else res.writeHead(410).end()
    })
    const storage = memoryStorage()
    const app = consumerApp(storage)
    const targets = ['one', 'two', 'three', 'four', 'five'].map((name) => ({
      name,
      url: name === 'four' ? 'https://private-host.invalid/s3cret' : receiver.url,
      secrets: [secret],
      types: '*' as const,
      headers: { Authorization: 's3cret-header' },
      ...(name === 'five' && { format: 'slack' as const, secrets: [] }),
      ...(name === 'three' && {
        body: () => {
          throw new Error('s3cret-body')
        },
      }),
    }))
    for (const consumer of webhooks({ targets })) app.router.events.consume(consumer)
    app.router.start()
    await until(async () => (await app.router.health()).consumers.items.length === 5)
    await app.record(2)
    const views = async () => (await app.router.health()).consumers.items
    await until(async () => (await views()).every(({ lastError }) => lastError !== null))
    await app.router.close()
    const written = inspect([app.lines, await views(), await storage.consumers?.list()], { depth: null })
    expect(written).toContain('was not delivered')
    const address = `127.0.0.1:${receiver.port}`
    for (const word of ['s3cret', 'private', address, 'whsec_', secret.slice(6, 20), 'flag-1']) {
      expect(written).not.toContain(word)
    }
    await receiver.close()
  })
})
