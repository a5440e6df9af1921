import { join } from 'node:path'
import { type Server, startServer, stopAll } from '../support/child'
import { parseCurl, sendTo } from '../support/curl'
import { removeFolders, root, temporaryFolder } from '../support/folders'
import { type Block, blocks, guides, readText } from '../support/markdown'

afterAll(async () => {
  await stopAll()
  removeFolders()
})

const blocksIn = (text: string) => text.split('\n\n').length

/** The shown part of a response. An endless stream is read up to the number of shown blocks. */
async function textAsLongAs(answer: Response, shown: string): Promise<string> {
  if (!answer.headers.get('content-type')?.startsWith('text/event-stream')) return answer.text()
  let text = ''
  for await (const piece of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += piece
    if (blocksIn(text) > blocksIn(shown)) break
  }
  return text
}

/** Sends the requests of a guide in order, and compares each response with the shown one. */
async function follow(guide: string, server: Server): Promise<number> {
  const send = senderTo(server)
  const walk = walkOf(guide)
  for (const { command, status, answer } of walk) {
    const answered = await send(command)
    if (answer.language === 'text') {
      // A block of a guide cannot show line endings.
      const text = (await textAsLongAs(answered, answer.text)).replaceAll('\r\n', '\n')
      expect([command, answered.status, fitsShown(text, answer.text) || text]).toEqual([command, status, true])
      continue
    }
    const shown = parseShown(answer.text)
    const body = asShown((await answered.json()) as Json, shown)
    expect(normalised({ command, status: answered.status, body })).toEqual(normalised({ command, status, body: shown }))
  }
  return walk.length
}

describe('the requests in the guides', () => {
  it('have the shown responses of the example server: "Getting started", then "The event log"', async () => {
    const server = await startServer([exampleServer], { cwd: temporaryFolder() })
    expect(await follow('docs/getting-started.md', server)).toBeGreaterThanOrEqual(8)
    expect(await follow('docs/event-log.md', server)).toBeGreaterThanOrEqual(3)
  })

  it('are only in these two guides, except those that need another server', () => {
    const withCurl = guides.filter((guide) => /^curl /m.test(readText(guide)))
    expect(withCurl).toEqual(['README.md', 'docs/event-log.md', 'docs/getting-started.md', 'docs/operations.md'])
  })
})

/** A request that a guide shows, with its answer. */
interface Shown {
  readonly command: string
  readonly status: number
  readonly answer: Block
}

/** The requests of a guide to the example server, in order. @throws Error for one that shows no answer. */
function walkOf(guide: string): Shown[] {
  const all = blocks(readText(guide))
  return all.flatMap(({ language, text }, index) => {
    const answer = all[index + 1]
    if (language !== 'sh' || !text.startsWith('curl ')) return []
    const status = Number(answer?.before)
    if (answer === undefined || !/^(?:json|text)$/.test(answer.language) || !(status >= 200)) {
      throw new Error(`Without an answer: ${text}`)
    }
    return [{ command: text.trim(), status, answer }]
  })
}

const exampleServer = join(root, 'examples/server/server.js')

/** Sends requests with the keys that the server printed. */
function senderTo(server: Server): (command: string) => Promise<Response> {
  const keyOf = (user: string) => new RegExp(` ${user} .* (user:\\w+)$`, 'm').exec(server.stdout())?.[1] ?? ''
  const variables = { API: `${server.url}/api/admin`, ANN: keyOf('ann'), BEN: keyOf('ben') }
  return (command) => {
    return sendTo(server.url, parseCurl(command, variables))
  }
}

type Json = string | number | boolean | null | Json[] | { [key: string]: Json }

/** What stands for the rest of an object or a list, as its last member. */
const rest = '…'

/** Reads JSON in which `…` stands for the rest of an object or a list. */
function parseShown(text: string): Json {
  return JSON.parse(text.replace(/…(?=\s*\})/g, `"${rest}": 0`).replace(/…(?=\s*\])/g, `"${rest}"`))
}

/** An answer without what is not shown of it. The mark stays only where it hides something. */
function asShown(answer: Json | undefined, shown: Json | undefined): Json | undefined {
  if (Array.isArray(answer) && Array.isArray(shown)) {
    if (shown.at(-1) !== rest) return answer.map((item, index) => asShown(item, shown[index]) as Json)
    const some = answer.slice(0, shown.length - 1).map((item, index) => asShown(item, shown[index]) as Json)
    return some.length < answer.length ? [...some, rest] : some
  }
  if (!isObject(answer) || !isObject(shown)) return answer
  const all = Object.entries(answer)
  const some = rest in shown ? all.filter(([name]) => name in shown) : all
  const cut = Object.fromEntries(some.map(([name, value]) => [name, asShown(value, shown[name]) as Json]))
  return some.length < all.length ? { ...cut, [rest]: 0 } : cut
}

/** Whether a text is as shown, where `…` stands for any text, also over line ends. */
function fitsShown(text: string, shown: string): boolean {
  const parts = shown.split(rest).map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  return new RegExp(`^${parts.join('[^]*?')}$`).test(text)
}

/** The same with what differs from run to run made equal. */
function normalised(answer: unknown): unknown {
  const text = JSON.stringify(answer)
    .replace(/"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"/g, '"<time>"')
    .replace(/"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"/g, '"<uuid>"')
  return JSON.parse(text)
}

function isObject(value: Json | undefined): value is { [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
