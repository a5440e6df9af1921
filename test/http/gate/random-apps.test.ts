import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import fc from 'fast-check'
import { createChangeRequestRouter, memoryStorage } from '../../../src'
import { ungatedRoutes } from '../../../src/testing'
import { random, seed } from '../../support/random'
import { build, type Item, randomItems, requestPaths, spellings } from './support/random-app'

const methods = ['PUT', 'PATCH'] as const

const router = createChangeRequestRouter({
  logger: false,
  storage: memoryStorage(),
  authenticate: () => null,
  // A rejection becomes an error, after which an error handler may continue.
  errors: 'next',
})
const gate = router.gate(() => ({ project: 'shop', environment: 'production' }))

let answer: RequestListener
let server: Server

beforeAll(async () => {
  server = createServer((req, res) => answer(req, res)).listen(0, '127.0.0.1')
  await once(server, 'listening')
})

afterAll(() => {
  server.closeAllConnections()
  server.close()
})

interface Sent {
  readonly method: string
  readonly path: string
  readonly header: string
}

/** Sends all requests over one socket without waiting for responses; resolves when all have responses. */
async function sendAll(listener: RequestListener, requests: readonly Sent[]): Promise<void> {
  let open = requests.length
  if (open === 0) return
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').resume()
  await new Promise<void>((resolve, reject) => {
    answer = (req, res) => {
      // On one socket, responses wait for the previous ones.
      req.socket.setMaxListeners(0)
      res.once('close', () => {
        open -= 1
        if (open === 0) resolve()
      })
      listener(req, res)
    }
    const lines = requests.map(
      ({ method, path, header }, id) => `${method} ${path} HTTP/1.1\r\nHost: app\r\nX-Id: ${id}\r\n${header}\r\n`,
    )
    socket.once('error', reject).write(lines.join(''))
  })
  socket.destroy()
}

/** The routes that requests reach without a gate, as `PUT w1`. */
async function reachedIn(items: readonly Item[]) {
  const reached = new Map<string, string>()
  const requests: Sent[] = []
  const built = build(items, gate, (id, write) => {
    const { method, path, header } = requests[Number(id)] as Sent
    reached.set(write, `${method} ${path} ${header.trim()}`)
  })
  for (const declared of requestPaths(items)) {
    for (const method of methods) {
      for (const path of spellings(declared)) requests.push({ method, path, header: '' })
      for (const header of ['', ...built.headers]) requests.push({ method, path: declared, header })
    }
  }
  await sendAll(built.app as unknown as RequestListener, requests)
  return { app: built.app, reached }
}

/** The routes that `ungatedRoutes` lists, as `PUT w1`. */
function listedIn(app: unknown): string[] {
  return ungatedRoutes(app).flatMap((line) => {
    const [, method = '', name] = /^(\w+) .*\b(w\d+)$/.exec(line) ?? []
    return name === undefined ? [] : (method === 'ALL' ? methods : [method]).map((one) => `${one} ${name}`)
  })
}

describe(`ungatedRoutes for random apps (seed ${seed})`, () => {
  it('lists each route that a request reaches without a gate', async () => {
    const property = fc.asyncProperty(randomItems, async (items) => {
      const { app, reached } = await reachedIn(items)
      const listed = listedIn(app)
      expect([...reached].filter(([write]) => !listed.includes(write))).toEqual([])
    })
    await fc.assert(property, random(30))
  })
})
