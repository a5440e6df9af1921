import { type IncomingHttpHeaders, request } from 'node:http'

export interface RawRequest {
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
}

export interface RawAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: the tests say what they expect in it.
  readonly body: any
}

/** Sends exactly these bytes and headers; supertest would serialize a Buffer again and normalize the path. */
export function sendRaw(port: number, { method = 'POST', path, headers = {}, body }: RawRequest): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) }
    const sent = request({ host: '127.0.0.1', port, method, path, headers: { ...length, ...headers }, agent: false })
    sent.on('error', reject)
    sent.on('response', (answer) => {
      const chunks: Buffer[] = []
      answer.on('error', reject)
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        const isJson = /json/.test(answer.headers['content-type'] ?? '')
        const status = answer.statusCode ?? 0
        resolve({ status, headers: answer.headers, text, body: isJson && text !== '' ? JSON.parse(text) : undefined })
      })
    })
    sent.end(body)
  })
}
