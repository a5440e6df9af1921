import { join } from 'node:path'
import type { Express, RequestHandler } from 'express'
import { version } from 'express/package.json'
import { memoryStorage } from '../../src/index'
import { changeRequestsPath, enable, people, startApp } from '../support/app'
import { sendRaw } from './raw-request'

type ExpressModule = typeof import('express')

// By its folder, because in one of the two Jest projects the name `express` stands for Express 4.
const hosts: Record<string, ExpressModule> = {
  'Express 5': require(join(__dirname, '../../node_modules/express')),
  'Express 4': require(join(__dirname, '../../node_modules/express4')),
}

const parsers: Readonly<Record<string, (express: ExpressModule) => RequestHandler[]>> = {
  none: () => [],
  json: ({ json }) => [json()],
  'json twice': ({ json }) => [json(), json()],
  'json without strict': ({ json }) => [json({ strict: false })],
  urlencoded: ({ urlencoded }) => [urlencoded({ extended: true })],
  'urlencoded, then json': ({ urlencoded, json }) => [urlencoded({ extended: false }), json()],
  'text of text': ({ text }) => [text()],
  'raw of bytes': ({ raw }) => [raw()],
  'text of everything': ({ text }) => [text({ type: () => true })],
  'raw of everything': ({ raw }) => [raw({ type: () => true })],
}

const readsAll = ['text of everything', 'raw of everything']
const cases = Object.keys(hosts).flatMap((host) => Object.keys(parsers).map((parser) => ({ host, parser })))

describe(`a router on Express ${version} in an app with body parsers before it`, () => {
  const headers = { Authorization: people.ann.key, 'Content-Type': 'application/json' }
  const path = changeRequestsPath()

  it.each(cases)('$host, $parser', async ({ host, parser }) => {
    const module = hosts[host] as ExpressModule
    const app = await startApp(
      { storage: memoryStorage() },
      {
        app: module() as Express,
        before: (express) => {
          for (const middleware of parsers[parser]?.(module) ?? []) express.use(middleware)
        },
      },
    )
    const send = (body: string | undefined, more: object = {}) =>
      sendRaw(app.port, { path, headers: { ...headers, ...more }, ...(body === undefined ? {} : { body }) })

    const answers = {
      one: (await send(JSON.stringify(enable()))).status,
      list: (await send(JSON.stringify([enable(), enable()]))).status,
      form: (await send('a=1', { 'Content-Type': 'application/x-www-form-urlencoded' })).status,
      text: (await send('a', { 'Content-Type': 'text/plain' })).status,
      nothing: (await send(undefined)).status,
      null: (await send('null')).status,
    }
    const works = { one: 200, list: 200, form: 415, text: 415, nothing: 400, null: 400 }
    // What a parser of the host made of it cannot be read again: a clear error, and never a wrong change.
    const clear = { one: 500, list: 500, form: 415, text: 415, nothing: expect.any(Number), null: 500 }
    expect(answers).toEqual(readsAll.includes(parser) ? clear : works)
    expect((await app.events()).body.totalEvents).toBe(readsAll.includes(parser) ? 0 : 4)
    await app.close()
  })

  it.each(Object.keys(hosts))('%s: says that the host read the body', async (host) => {
    const module = hosts[host] as ExpressModule
    const app = await startApp(
      { storage: memoryStorage() },
      {
        app: module() as Express,
        before: (express) => void express.use(module.text({ type: () => true })),
      },
    )
    const { body } = await sendRaw(app.port, { path, headers, body: JSON.stringify(enable()) })
    expect(body).toMatchObject({ name: 'UnknownError', message: expect.stringContaining('host read the body') })
    await app.close()
  })

  it('uses our limits when it stands before the parsers of the host', async () => {
    const app = await startApp(
      { storage: memoryStorage(), limits: { bodyBytes: 50 } },
      {
        after: (express) => void express.use((hosts['Express 5'] as ExpressModule).json()),
      },
    )
    expect((await sendRaw(app.port, { path, headers, body: JSON.stringify(enable()) })).status).toBe(413)
    await app.close()
  })

  it('a body that the client never finishes changes nothing, and others are served', async () => {
    const app = await startApp({ storage: memoryStorage() })
    const { request } = await import('node:http')
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
