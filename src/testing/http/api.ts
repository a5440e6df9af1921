import type { Caller, HttpHost } from './wire/host'

// biome-ignore lint/suspicious/noExplicitAny: the rules check the content of a response.
export type Json = any

export interface HttpResponse {
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

/** The status and the name of an error response. */
export function errorOf({ status, body }: HttpResponse): unknown[] {
  return [status, body?.name]
}

/** The codes of what is missing, from an error response. */
export function codesOf({ body }: HttpResponse): string[] {
  return body.details.map(({ code }: Json) => code)
}

/**
 * What the event of an apply has of an ordinary one that only needed the minimum of approvals. Without the option `applyTrace`,
 * nothing.
 */
export function expectedTrace({ policy, recordOnly }: Json, { approvals, minApprovals }: Json): Json {
  if (policy === undefined) return {}
  return {
    approvals: approvals.map(({ createdBy: { id, username }, createdAt: at }: Json) => {
      return { by: { id, username }, at, rules: [] }
    }),
    requirements: [{ name: 'minimum', environment: null, approvals: minApprovals, given: approvals.length }],
    ...(recordOnly && { recordOnly: true }),
    policy: String(policy),
  }
}

interface Moved {
  readonly comment?: string
  readonly scheduledAt?: string
  readonly after?: number
  readonly minutesAfter?: number
}

/** Sends requests to the server of a rule as its callers, and creates change requests in the states that rules start from. */
export class Api {
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

  /** A flag with an approval rule, and the name of the rule; undefined if the host app has none. */
  get ruled(): HttpHost['ruled'] {
    return this.#host.ruled
  }

  /** A flag with a freeze in force, and the name of the freeze; undefined if the host app has none. */
  get frozen(): HttpHost['frozen'] {
    return this.#host.frozen
  }

  get objections(): boolean {
    return this.#host.objections === true
  }

  /** A flag with a required check, and the name of the check; undefined if the host app has none. */
  get checked(): HttpHost['checked'] {
    return this.#host.checked
  }

  get emergencies(): boolean {
    return this.#host.emergency === true
  }

  /** Whether a body parser of the host app rejects malformed JSON before the router. */
  get parsesBodies(): boolean {
    return this.#host.parsesBodies === true
  }

  /** Whether the host app has a playground. */
  get hasPlayground(): boolean {
    return this.#host.playground === true
  }

  /** Applies due change requests; undefined if there is no scheduler. */
  get runDue(): (() => Promise<unknown>) | undefined {
    return this.#host.runDue
  }

  /** The path of the project's change requests, or a path below it. */
  path(below: string | number = '', project = this.project): string {
    return `/projects/${project}/change-requests${below === '' ? '' : `/${below}`}`
  }

  get otherProjectPath(): string {
    return this.path('', this.#host.otherProject)
  }

  /** The path to which changes are proposed. */
  get proposals(): string {
    return `/projects/${this.project}/environments/${this.environment}/change-requests`
  }

  /** The host app's route behind the gate; undefined if it has none. */
  get gated(): HttpHost['gated'] {
    return this.#host.gated
  }

  /** Sends the write to the route behind the gate. */
  writePastReview(who: Caller | null, headers: Sent['headers'] = {}): Promise<HttpResponse> {
    const { gated } = this.#host
    if (gated === undefined) throw new Error('The host app has no route behind a gate. Check `gated` before this call.')
    return this.#request(who, gated.method, gated.url, { body: gated.body, headers })
  }

  /** Sends a request; without credentials if `who` is null. */
  send(who: Caller | null, method: Method, path: string, sent: Sent = {}): Promise<HttpResponse> {
    return this.#request(who, method, `${this.#host.url}${path}`, sent)
  }

  async #request(
    who: Caller | null,
    method: Method,
    url: string,
    { body, text, headers }: Sent,
  ): Promise<HttpResponse> {
    const { callers, fetch: send = fetch } = this.#host
    const content = text ?? (body === undefined ? undefined : JSON.stringify(body))
    const response = await send(url, {
      method,
      headers: {
        Accept: 'application/json',
        ...(content === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(who === null ? {} : callers[who]),
        ...headers,
      },
      ...(content === undefined ? {} : { body: content }),
    })
    const received = await response.text()
    return { status: response.status, headers: response.headers, text: received, body: parsed(received) }
  }

  get(path: string, who: Caller = 'author', headers: Sent['headers'] = {}): Promise<HttpResponse> {
    return this.send(who, 'GET', path, { headers })
  }

  /** Returns a change of the flag. Different numbers give different changes. */
  change(number = 0) {
    return { action: 'updateEnabled', feature: this.feature, payload: { enabled: number % 2 === 0, number } }
  }

  propose(body: unknown = this.change(), who: Caller = 'author', headers: Sent['headers'] = {}): Promise<HttpResponse> {
    return this.send(who, 'POST', this.proposals, { body, headers })
  }

  /** Requests another state. */
  move(who: Caller, id: number, state: string, sent: Sent & Moved = {}): Promise<HttpResponse> {
    const { comment, scheduledAt, after, minutesAfter, ...rest } = sent
    if (state === 'Scheduled') this.#scheduled.add(id)
    return this.send(who, 'PUT', this.path(`${id}/state`), {
      body: { state, comment, scheduledAt, after, minutesAfter },
      ...rest,
    })
  }

  /** Reads the current change request as its author. */
  async read(id: number, who: Caller = 'author'): Promise<Json> {
    return succeeded(await this.get(this.path(id), who)).body
  }

  /** Reads the review of a change request. */
  async review(id: number, who: Caller = 'author'): Promise<Json> {
    return succeeded(await this.get(this.path(`${id}/review`), who)).body
  }

  /** Creates a draft of the author with this number of changes. */
  async draft(changes = 1): Promise<Json> {
    const list = Array.from({ length: changes }, (_, index) => this.change(index))
    return succeeded(await this.propose(list)).body
  }

  /** Creates a change request in review. */
  async inReview({ approvals = 1, changes = 1 } = {}): Promise<Json> {
    if (approvals !== 1) await this.settings({ changeRequestsEnabled: true, requiredApprovals: approvals })
    const { id } = await this.draft(changes)
    return succeeded(await this.move('author', id, 'In review')).body
  }

  /** Creates a change request that one reviewer has approved. */
  async approved(changes = 1): Promise<Json> {
    const { id } = await this.inReview({ changes })
    return succeeded(await this.move('reviewer', id, 'Approved')).body
  }

  /** Creates a change request in the state. */
  async inState(state: string): Promise<Json> {
    if (state === 'Draft') return this.draft()
    if (state === 'In review') return this.inReview()
    if (state === 'Approved') return this.approved()
    const { id } = state === 'Applied' ? await this.approved() : await this.inReview()
    const who = state === 'Cancelled' ? 'author' : 'reviewer'
    return succeeded(await this.move(who, id, state)).body
  }

  /** Writes the settings of the environment. */
  async settings(body: object): Promise<void> {
    this.#settingsChanged = true
    succeeded(await this.putSettings('admin', body))
  }

  putSettings(who: Caller, body: object, headers: Sent['headers'] = {}): Promise<HttpResponse> {
    return this.send(who, 'PUT', `${this.proposals}/config`, { body, headers })
  }

  /** The flag events of applying a change request, newest first; none if the host app uses `recordOnly`. */
  async flagEventsOf(id: number): Promise<Json[]> {
    const { body } = succeeded(await this.get(`/events?project=${this.project}`, 'admin'))
    const isApplied = ({ type, data }: Json) => type === 'change-request-applied' && data.changeRequestId === id
    const before = body.events.slice(body.events.findIndex(isApplied) + 1)
    const others = before.findIndex(({ type }: Json) => type.startsWith('change-'))
    return others < 0 ? before : before.slice(0, others)
  }

  /** Reads the events of a change request, oldest first. */
  async eventsOf(id: number): Promise<Json[]> {
    const { body } = succeeded(await this.get(`/events?project=${this.project}`, 'admin'))
    const about = ({ data, preData }: Json) => (data ?? preData)?.changeRequestId ?? preData?.changeRequestId
    return body.events.filter((event: Json) => about(event) === id).reverse()
  }

  /** Resets the state before a rule: change requests enabled, one required approval, nothing open. */
  async prepare(): Promise<void> {
    await this.settings({ changeRequestsEnabled: true, requiredApprovals: 1 })
    this.#settingsChanged = false
    for (const who of ['author', 'admin'] as const) {
      for (const { id, environment } of succeeded(await this.get(this.path('pending'), who)).body) {
        if (environment === this.environment) succeeded(await this.move(who, id, 'Cancelled'))
      }
    }
  }

  async leave(): Promise<void> {
    // Change requests that a rule has scheduled must not be applied later. Closed ones return an error, which is ignored.
    for (const id of this.#scheduled) await this.move('admin', id, 'Rejected')
    if (this.#settingsChanged) await this.settings({ changeRequestsEnabled: true, requiredApprovals: 1 })
  }
}

/** Returns a successful response, or throws: the preconditions of a rule must hold. */
export function succeeded(response: HttpResponse): HttpResponse {
  if (response.status >= 200 && response.status < 300) return response
  throw new Error(
    `A request that prepares a rule failed: the server returned ${response.status} ${response.text.slice(0, 500)}`,
  )
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
