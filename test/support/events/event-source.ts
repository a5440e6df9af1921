import { once } from 'node:events'
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'

export interface Message {
  /** What an EventSource would send as Last-Event-ID after this message. */
  readonly lastEventId: string
  readonly type: string
  readonly data: string
}

export interface SourceOptions {
  readonly headers?: Readonly<Record<string, string>>
  /** Called immediately for each message. */
  readonly onMessage?: (message: Message) => void
}

/** A stream of server-sent events, read according to the HTML standard, without reconnecting. */
export interface Source {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly messages: readonly Message[]
  /** Updated by each block with an id, also by blocks that are no message. */
  lastEventId(): string
  /** Milliseconds; undefined until the server sends it. */
  retry(): number | undefined
  /** The last event ids of blocks without data, which are no messages. */
  readonly beats: readonly string[]
  /** Resolves when the connection is closed. */
  readonly ended: Promise<void>
  readonly response: IncomingMessage
  /** Ignores all further messages, also those that have already arrived. */
  leave(): void
}

/** The id of the event at a position of a stream; NaN for none. */
export function numberOf(lastEventId: string): number {
  return Number.parseInt(lastEventId, 10)
}

/** Opens a stream; rejects with status and body if the response is no stream. */
export async function openSource(url: string, { headers = {}, onMessage }: SourceOptions = {}): Promise<Source> {
  const sent = request(url, { agent: false, headers: { Accept: 'text/event-stream', ...headers } }).end()
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  const type = response.headers['content-type'] ?? ''
  if (!type.startsWith('text/event-stream')) throw new Error(`${response.statusCode} ${type} ${await text(response)}`)
  const parser = new Parser(onMessage)
  response.setEncoding('utf8').on('data', (chunk: string) => parser.take(chunk))
  sent.on('error', () => undefined)
  response.on('error', () => undefined)
  const ended = new Promise<void>((resolve) => {
    response.on('close', () => resolve())
  })
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    messages: parser.messages,
    lastEventId: () => parser.lastEventId,
    retry: () => parser.retry,
    beats: parser.beats,
    ended,
    response,
    leave() {
      parser.stop()
      response.destroy()
    },
  }
}

/** https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation */
class Parser {
  readonly messages: Message[] = []
  readonly beats: string[] = []
  lastEventId = ''
  retry: number | undefined
  readonly #onMessage: ((message: Message) => void) | undefined
  #stopped = false
  #rest = ''
  #id = ''
  #type = ''
  #data = ''

  constructor(onMessage: ((message: Message) => void) | undefined) {
    this.#onMessage = onMessage
  }

  take(chunk: string): void {
    // A line feed may follow a carriage return at the end.
    const lines = (this.#rest + chunk).split(/\r\n|\n|\r(?!$)/)
    this.#rest = lines.pop() ?? ''
    for (const line of lines) if (!this.#stopped) this.#line(line)
  }

  stop(): void {
    this.#stopped = true
  }

  #line(line: string): void {
    const [, field = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? []
    if (line === '') this.#dispatch()
    else if (field === 'data') this.#data += `${value}\n`
    else if (field === 'event') this.#type = value
    else if (field === 'id' && !value.includes('\0')) this.#id = value
    else if (field === 'retry' && /^\d+$/.test(value)) this.retry = Number(value)
  }

  #dispatch(): void {
    this.lastEventId = this.#id
    const [type, data] = [this.#type || 'message', this.#data]
    this.#type = ''
    this.#data = ''
    if (data === '') {
      this.beats.push(this.#id)
      return
    }
    const message = { lastEventId: this.#id, type, data: data.slice(0, -1) }
    this.messages.push(message)
    this.#onMessage?.(message)
  }
}
