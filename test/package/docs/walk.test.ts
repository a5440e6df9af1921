import { type Server, startServer, stopAll } from '../support/child'
import { removeFolders, temporaryFolder } from '../support/folders'
import { guides, readText } from '../support/markdown'
import { asShown, fitsShown, type Json, normalised, parseShown } from '../support/shown'
import { exampleServer, senderTo, walkOf } from '../support/walk'

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
