import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { Express } from 'express'

export interface Sent {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
}

export interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: what an app answers.
  readonly body: any
}

/** Calls an app without a socket and without a body. */
export function inProcess(app: Express) {
  const socket = new Socket()
  return (path: string, { method = 'PATCH', headers = {} }: Sent = {}): Promise<Answer> =>
    new Promise((resolve) => {
      const req = new IncomingMessage(socket)
      Object.assign(req, { method, url: path, headers })
      const res = new ServerResponse(req)
      res.end = (chunk?: unknown) => {
        const text = chunk === undefined ? '' : String(chunk)
        resolve({ status: res.statusCode, body: text === '' ? undefined : JSON.parse(text) })
        return res
      }
      app(req as never, res as never)
    })
}
