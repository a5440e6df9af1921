import { mark, propose, type Server } from './server'

const writers = 4
const perChangeRequest = 100
const pauseMs = 10
/** Texts of drivers and servers that callers must not see. */
const leaks = /ECONN|terminat|administrator|shutting|starting|recovery|select |insert |127\.0\.0\.1/i

/** Clients that POST changes and read events until they are ended, whatever the responses are. */
export class Load {
  /** The flags of all changes that got a 200. */
  readonly acknowledged: string[] = []
  /** Unexpected responses: neither 200 nor 503 with Retry-After and a plain message. */
  readonly surprises: string[] = []
  /** The number of 503 responses. */
  refused = 0
  readonly #server: Server
  readonly #name: string
  readonly #running: Promise<unknown>
  #ended = false

  constructor(server: Server, name: string) {
    this.#server = server
    this.#name = name
    this.#running = Promise.all([...Array.from({ length: writers }, (_, client) => this.#write(client)), this.#read()])
  }

  async end(): Promise<void> {
    this.#ended = true
    await this.#running
  }

  async #write(client: number): Promise<void> {
    for (let round = 0; !this.#ended; round += 1) {
      const flag = `${this.#name}-${client}-${round}`
      const environment = `${this.#name}-${Math.floor(round / perChangeRequest)}`
      const answer = await propose(this.#server, mark(flag), { user: client + 1, environment })
      if (await this.#expected(answer)) this.acknowledged.push(flag)
    }
  }

  async #read(): Promise<void> {
    while (!this.#ended) {
      const answer = await fetch(`${this.#server.url}/api/admin/events?project=shop`)
      const text = await answer
        .clone()
        .text()
        .catch(() => undefined)
      if (text !== undefined && (await this.#expected(answer))) JSON.parse(text)
    }
  }

  /** True for a 200. */
  async #expected(answer: Response): Promise<boolean> {
    if (answer.status === 200) {
      await answer.arrayBuffer()
      return true
    }
    const text = await answer.text()
    const again = answer.status === 503 && Number(answer.headers.get('retry-after')) > 0
    if (again && !leaks.test(text)) this.refused += 1
    else this.surprises.push(`${answer.status}: ${text}`)
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
    return false
  }
}
