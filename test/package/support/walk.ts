import { join } from 'node:path'
import type { Server } from './child'
import { type CurlRequest, parseCurl, sendTo } from './curl'
import { type Block, blocks, readText } from './markdown'

/** A request that a guide shows, with its answer. */
export interface Shown {
  readonly command: string
  readonly status: number
  readonly answer: Block
}

/** The requests of a guide to the example server, in order. @throws Error for one that shows no answer. */
export function walkOf(guide: string): Shown[] {
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

export const exampleServer = join(__dirname, '../../../examples/server/server.js')

/** Sends requests with the keys that the server printed. */
export function senderTo(server: Server): (command: string) => Promise<Response> {
  const keyOf = (user: string) => new RegExp(` ${user} .* (user:\\w+)$`, 'm').exec(server.stdout())?.[1] ?? ''
  const variables = { API: `${server.url}/api/admin`, ANN: keyOf('ann'), BEN: keyOf('ben') }
  return (command) => {
    const request: CurlRequest = parseCurl(command, variables)
    return sendTo(server.url, request)
  }
}
