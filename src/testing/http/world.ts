import type { Caller, HttpHost } from './wire/host'

// biome-ignore lint/suspicious/noExplicitAny: an answer is what came over the wire; the rules say what it has to be.
export type Json = any

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The text as JSON; undefined when it is not JSON. */
  readonly body: Json
}

export interface Sent {
  readonly body?: unknown
  /** Instead of `body`: sent without encoding. */
  readonly text?: string
  readonly headers?: Readonly<Record<string, string>>
}

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH'

/** The status and the name of a refusal. */
export function refusal({ status, body }: Answer): unknown[] {
  return [status, body?.name]
}

/** What the rules use: a host, its callers, and change requests in the states that rules start from. */
export class World {
  readonly #host: HttpHost
  #settingsChanged = false
  readonly #scheduled = new Set<number>()

  constructor(host: HttpHost) {
    this.#host = host
  }

  get feature(): string {
    return this.#host.feature
  }

  get project(): string {
    return this.#host.project
  }

  get environment(): string {
    return this.#host.environment
  }

  /** A flag with an approval rule, and the name of the rule; undefined where the host has none. */
  get ruled(): HttpHost['ruled'] {
    return this.#host.ruled
  }

  get emergencies(): boolean {
    return this.#host.emergency === true
  }

  /** Whether malformed JSON meets a parser of the host before the router. */
  get parsesBodies(): boolean {
    return this.#host.parsesBodies === true
  }

  /** Whether the host has a playground. */
  get hasPlayground(): boolean {
    return this.#host.playground === true
  }

  /** Applies what is due; undefined where nothing can be scheduled. */
  get runDue(): (() => Promise<unknown>) | undefined {
    return this.#host.runDue
  }

  /** The path of the project's change requests, or of something below them. */
  path(below: string | number = '', project = this.project): string {
    return `/projects/${project}/change-requests${below === '' ? '' : `/${below}`}`
  }

  get otherProjectPath(): string {
    return this.path('', this.#host.otherProject)
  }

  /** Where changes are proposed. */
  get proposals(): string {
    return `/projects/${this.project}/environments/${this.environment}/change-requests`
  }

  /** The route behind the gate of the host; undefined where it has none. */
  get gated(): HttpHost['gated'] {
    return this.#host.gated
  }

  /** Sends the write that the gate of the host stands before. */
  writePastReview(who: Caller | null, headers: Sent['headers'] = {}): Promise<Answer> {
    const { gated } = this.#host
    if (gated === undefined) throw new Error('The host has no route behind a gate.')
    return this.#request(who, gated.method, gated.url, { body: gated.body, headers })
  }

  /** Sends a request; with nobody's credentials if `who` is null. */
  send(who: Caller | null, method: Method, path: string, sent: Sent = {}): Promise<Answer> {
    return this.#request(who, method, `${this.#host.url}${path}`, sent)
  }

  async #request(who: Caller | null, method: Method, url: string, { body, text, headers }: Sent): Promise<Answer> {
    const { callers, fetch: send = fetch } = this.#host
    const content = text ?? (body === undefined ? undefined : JSON.stringify(body))
    const answer = await send(url, {
      method,
      headers: {
        Accept: 'application/json',
        ...(content === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(who === null ? {} : callers[who]),
        ...headers,
      },
      ...(content === undefined ? {} : { body: content }),
    })
    const received = await answer.text()
    return { status: answer.status, headers: answer.headers, text: received, body: parsed(received) }
  }

  get(path: string, who: Caller = 'author', headers: Sent['headers'] = {}): Promise<Answer> {
    return this.send(who, 'GET', path, { headers })
  }

  /** A change of the flag, unlike any other if the number is. */
  change(number = 0) {
    return { action: 'updateEnabled', feature: this.feature, payload: { enabled: number % 2 === 0, number } }
  }

  propose(body: unknown = this.change(), who: Caller = 'author', headers: Sent['headers'] = {}): Promise<Answer> {
    return this.send(who, 'POST', this.proposals, { body, headers })
  }

  /** Asks for another state. */
  move(
    who: Caller,
    id: number,
    state: string,
    sent: Sent & { readonly comment?: string; readonly scheduledAt?: string } = {},
  ): Promise<Answer> {
    const { comment, scheduledAt, ...rest } = sent
    if (state === 'Scheduled') this.#scheduled.add(id)
    return this.send(who, 'PUT', this.path(`${id}/state`), { body: { state, comment, scheduledAt }, ...rest })
  }

  /** The present change request, as its author sees it. */
  async read(id: number, who: Caller = 'author'): Promise<Json> {
    return granted(await this.get(this.path(id), who)).body
  }

  /** A fresh draft of the author with this many changes. */
  async draft(changes = 1): Promise<Json> {
    const list = Array.from({ length: changes }, (_, index) => this.change(index))
    return granted(await this.propose(list)).body
  }

  /** A fresh change request in review. */
  async inReview({ approvals = 1, changes = 1 } = {}): Promise<Json> {
    if (approvals !== 1) await this.settings({ changeRequestsEnabled: true, requiredApprovals: approvals })
    const { id } = await this.draft(changes)
    return granted(await this.move('author', id, 'In review')).body
  }

  /** A fresh change request that one reviewer has approved. */
  async approved(changes = 1): Promise<Json> {
    const { id } = await this.inReview({ changes })
    return granted(await this.move('reviewer', id, 'Approved')).body
  }

  /** A fresh change request in the state. */
  async inState(state: string): Promise<Json> {
    if (state === 'Draft') return this.draft()
    if (state === 'In review') return this.inReview()
    if (state === 'Approved') return this.approved()
    const { id } = state === 'Applied' ? await this.approved() : await this.inReview()
    const who = state === 'Cancelled' ? 'author' : 'reviewer'
    return granted(await this.move(who, id, state)).body
  }

  /** Sets the settings of the environment. */
  async settings(body: object): Promise<void> {
    this.#settingsChanged = true
    granted(await this.putSettings('admin', body))
  }

  putSettings(who: Caller, body: object, headers: Sent['headers'] = {}): Promise<Answer> {
    return this.send(who, 'PUT', `${this.proposals}/config`, { body, headers })
  }

  /** What its application did to flags, newest first; nothing where the host records applications alone. */
  async flagEventsOf(id: number): Promise<Json[]> {
    const { body } = granted(await this.get(`/events?project=${this.project}`, 'admin'))
    const isApplied = ({ type, data }: Json) => type === 'change-request-applied' && data.changeRequestId === id
    const before = body.events.slice(body.events.findIndex(isApplied) + 1)
    const others = before.findIndex(({ type }: Json) => type.startsWith('change-'))
    return others < 0 ? before : before.slice(0, others)
  }

  /** The events of the change request, oldest first. */
  async eventsOf(id: number): Promise<Json[]> {
    const { body } = granted(await this.get(`/events?project=${this.project}`, 'admin'))
    const about = ({ data, preData }: Json) => (data ?? preData)?.changeRequestId ?? preData?.changeRequestId
    return body.events.filter((event: Json) => about(event) === id).reverse()
  }

  /** Makes the ground even: change requests on, one approval, nothing open. */
  async prepare(): Promise<void> {
    await this.settings({ changeRequestsEnabled: true, requiredApprovals: 1 })
    this.#settingsChanged = false
    for (const who of ['author', 'admin'] as const) {
      for (const { id, environment } of granted(await this.get(this.path('pending'), who)).body) {
        if (environment === this.environment) granted(await this.move(who, id, 'Cancelled'))
      }
    }
  }

  async leave(): Promise<void> {
    // Nothing may be applied later that a rule has scheduled. What is closed by now refuses it.
    for (const id of this.#scheduled) await this.move('admin', id, 'Rejected')
    if (this.#settingsChanged) await this.settings({ changeRequestsEnabled: true, requiredApprovals: 1 })
  }
}

/** The answer, which has to be a good one: what a rule starts from must be there. */
export function granted(answer: Answer): Answer {
  if (answer.status >= 200 && answer.status < 300) return answer
  throw new Error(`The host does not let a rule begin: it answered ${answer.status} ${answer.text.slice(0, 500)}`)
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
