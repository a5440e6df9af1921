import { request } from 'node:http'
import { version } from 'express/package.json'
import { memoryStorage } from '../../../src'
import { changeRequestsPath, enable, people, startApp } from '../../support/app'
import { sendRaw } from '../support/raw-request'
import { hosts } from './host-apps'

describe(`a router on Express ${version} that reads bodies itself`, () => {
  const headers = { Authorization: people.ann.key, 'Content-Type': 'application/json' }
  const path = changeRequestsPath()

  it.each(hosts)('uses its own limits when it stands before the parsers of an app of $host', async ({ module }) => {
    const app = await startApp(
      { storage: memoryStorage(), limits: { bodyBytes: 50 } },
      { app: module(), after: (express) => void express.use(module.json()) },
    )
    expect((await sendRaw(app.port, { path, headers, body: JSON.stringify(enable()) })).status).toBe(413)
    await app.close()
  })

  it('changes nothing for a body that the client never finishes, and serves others', async () => {
    const app = await startApp({ storage: memoryStorage() })
    const cut = request({
      port: app.port,
      host: '127.0.0.1',
      method: 'POST',
      path,
      headers: { ...headers, 'Content-Length': '1000' },
    })
    cut.on('error', () => undefined)
    cut.write(JSON.stringify(enable()))
    await new Promise((resolve) => app.server.once('request', resolve))
    cut.destroy()
    expect((await app.propose(enable())).body.id).toBe(1)
    expect((await app.events()).body.totalEvents).toBe(2)
    await app.close()
  })
})
