import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { createGunzip } from 'node:zlib'
import compression from 'compression'
import type { RequestHandler } from 'express'
import { apiKeys, createChangeRequestRouter, memoryStorage, type Storage } from '../../../src'
import { people } from '../../support/app'
import { settled } from '../events/support/export-request'
import { hosts, listen, type RunningHost } from './host-apps'

const firstPageSize = 100
const pageSize = 500

/** A storage that counts its pages and delays them with `before`. */
function pagedStorage(
  before: (page: number) => Promise<void> | void = () => undefined,
  inner: Storage = memoryStorage(),
) {
  let pages = 0
  const storage: Storage = {
    ...inner,
    async eventPage(...args) {
      pages += 1
      await before(pages)
      return inner.eventPage(...args)
    },
  }
  return { storage, pages: () => pages }
}

/** Middleware of hosts before a router; each replaces `res.write`. */
const middleware: readonly { readonly behind: string; readonly use: () => RequestHandler }[] = [
  { behind: 'compression', use: () => compression() },
  {
    behind: 'a middleware whose write answers nothing',
    use: () => (_req, res, next) => {
      const write = res.write.bind(res) as (chunk: unknown) => boolean
      res.write = ((chunk: unknown) => void write(chunk)) as unknown as typeof res.write
      next()
    },
  },
]

let host: RunningHost

afterEach(() => host.close())

/** Adds this many events of project shop, each of which holds this many random bytes. */
async function record(storage: Storage, total: number, size = 8): Promise<void> {
  const router = createChangeRequestRouter({ storage, authenticate: () => null })
  const newEvent = () => ({
    type: 'feature-updated' as const,
    project: 'shop',
    data: { filler: randomBytes(size).toString('base64') },
  })
  for (let written = 0; written < total; written += 1000) {
    await router.events.record(Array.from({ length: Math.min(1000, total - written) }, newEvent))
  }
  await router.close()
}

async function start(module: (typeof hosts)[number]['module'], use: RequestHandler, storage: Storage) {
  const router = createChangeRequestRouter({ storage, authenticate: apiKeys(Object.values(people)) })
  host = await listen(module().use(use, router))
}

function read(encoding: string): Promise<IncomingMessage> {
  const headers = { Authorization: people.ann.key, 'Accept-Encoding': encoding }
  const path = '/api/admin/events?project=shop'
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port: host.port, path, headers, agent: false }, resolve).on('error', reject)
  })
}

/** A log much larger than the buffers of sockets, for tests that only read. */
const total = 5_000
let largeLog: Storage

beforeAll(async () => {
  largeLog = memoryStorage()
  await record(largeLog, total, 4_500)
})

describe.each(hosts)('GET /api/admin/events in an app of $host', ({ module }) => {
  it('behind compression: each page is flushed before the next is read', async () => {
    const total = 2 * pageSize
    let release: () => void = () => undefined
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const { storage } = pagedStorage((page) => (page === 1 ? undefined : released))
    await record(storage, total)
    await start(module, compression(), storage)
    const packed = await read('gzip')
    const list = packed.pipe(createGunzip()).setEncoding('utf8')
    let received = ''
    list.on('data', (piece: string) => (received += piece))
    // The last event of the first page is there, and the second page is not even read.
    while (!received.includes(`"id":${total - firstPageSize + 1},`)) await once(list, 'data')
    expect(() => JSON.parse(received)).toThrow(SyntaxError)
    release()
    await once(list, 'end')
    const { events } = JSON.parse(received)
    expect(events.map(({ id }: { id: number }) => id)).toEqual(Array.from({ length: total }, (_, n) => total - n))
  })

  describe.each(middleware)('behind $behind', ({ use }) => {
    it('a slow reader gets the whole list when it continues', async () => {
      const { storage, pages } = pagedStorage(undefined, largeLog)
      await start(module, use(), storage)
      const slow = await read('gzip')
      slow.pause()
      expect(await settled(pages)).toBeLessThan(total / pageSize)
      const list = slow.headers['content-encoding'] === 'gzip' ? slow.pipe(createGunzip()) : slow
      expect(JSON.parse(await text(list)).events).toHaveLength(total)
    })
  })
})
