import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import type { ChangeRequest, Storage } from '../../../../src'
import { grantsAllow } from '../../../../src/auth/grants'
import type { Action, Digest } from './actions'
import { type Answer, inProcess, type Method, overHttp, type Send, type Sent, type Who } from './callers'
import { expectReading } from './expected-readings'
import { Clock, eventsAfter, Flags, flagNames, openRouter } from './hosts'
import { breaches } from './invariants'
import { type Expected, idOf, maxChanges, Rules, type Verdict } from './rules'

/** How often each situation occurred, so that a property that reaches nothing is detected. */
export type Tally = Map<string, number>

/** One sequence of actions against a router and the rules, in a separate project. */
export class ModelRun {
  readonly rules = new Rules()
  readonly flags: Flags
  readonly #clock = new Clock()
  readonly #digests = new Map<string, string>()
  readonly #storage: Storage
  readonly #project: string
  readonly #tally: Tally
  #send: Send = async () => {
    throw new Error('Not started.')
  }
  #lastEvent = 0
  close = async () => {}

  constructor(storage: Storage, project: string, tally: Tally) {
    this.#storage = storage
    this.#project = project
    this.#tally = tally
    this.flags = new Flags({ transactional: storage.transaction !== undefined })
  }

  async start(transport: 'in process' | 'http'): Promise<this> {
    this.#lastEvent = (await this.#storage.eventHead({})).lastId
    const router = openRouter(this.#storage, {
      flags: this.flags,
      clock: this.#clock.now,
      objections: true,
      limits: { changesPerChangeRequest: maxChanges },
      directory: { knownFeatures: (_, features) => features.filter((one) => flagNames.some((name) => name === one)) },
      // The search must not find other runs in the same store.
      authorize: (actor, permission, scope) =>
        [undefined, this.#project].includes(scope.project) && grantsAllow(actor, permission, scope),
    })
    if (transport === 'in process') this.#send = inProcess(router)
    else {
      const { send, close } = await overHttp(router)
      this.#send = send
      this.close = close
    }
    return this
  }

  async act(action: Action): Promise<void> {
    if (action.do === 'read') return this.#read(action)
    const aimed = 'request' in action ? this.rules.aim(action.request) : undefined
    const before = await this.#stored(aimed)
    const request = 'who' in action ? await this.#toRequest(action, aimed) : undefined
    const verdict = this.rules.judge(action)
    if (action.do === 'flags') {
      if (action.archived !== null && !this.flags.archived.delete(action.archived)) {
        this.flags.archived.add(action.archived)
      }
      this.flags.fails = action.fails
    }
    if (action.do === 'wait') this.#clock.forward(action.ms)
    if (request === undefined || !('who' in action)) return
    const answer = await this.#send(action.who, request.method, request.path, request.sent)
    this.#count(action, verdict)
    same([answer.status, answer.name], [verdict.status, verdict.name])
    if (verdict.about !== undefined) await this.#compare(verdict.about, answer, before)
    await this.#compareEvents(action.who, verdict)
  }

  async finish(): Promise<void> {
    expect(await breaches(this.#storage, this.flags, this.#project)).toEqual([])
  }

  #count(action: Action, { status }: Verdict): void {
    const name = `${action.do === 'state' ? action.state : action.do} ${status}`
    this.#tally.set(name, (this.#tally.get(name) ?? 0) + 1)
  }

  async #read({ who, what, request }: Action & { do: 'read' }): Promise<void> {
    const { path, status = 200, pick, wanted } = expectReading(this.rules, who, what, this.rules.aim(request))
    const full = path.startsWith('search')
      ? `/api/admin/search/change-requests${path.slice('search'.length)}`
      : `/api/admin/projects/${this.#project}${path}`
    const answer = await this.#send(who, 'GET', full)
    same([answer.status, pick(answer.body)], [status, wanted])
  }

  async #stored(request: Expected | undefined) {
    return request && this.#storage.find({ project: this.#project }, request.id)
  }

  async #toRequest(action: Exclude<Action, { do: 'read' | 'flags' | 'wait' }>, aimed: Expected | undefined) {
    const project = `/api/admin/projects/${this.#project}`
    const own = `${project}/change-requests/${aimed?.id ?? 999_999}`
    const target = action.do === 'add' ? this.rules.open(action.who, action.environment) : aimed
    const headers = 'bound' in action ? await this.#ifMatch(action.bound, target) : {}
    const request = (method: Method, path: string, body?: unknown): { method: Method; path: string; sent: Sent } => ({
      method,
      path,
      sent: { body, headers },
    })
    switch (action.do) {
      case 'add': {
        const { environment, changes } = action
        return request('POST', `${project}/environments/${environment}/change-requests`, changes)
      }
      case 'settings': {
        const body = {
          changeRequestsEnabled: action.enabled,
          ...(action.approvals === null ? {} : { requiredApprovals: action.approvals }),
        }
        return request('PUT', `${project}/environments/${action.environment}/change-requests/config`, body)
      }
      case 'edit':
      case 'discard change': {
        const change = (aimed && this.rules.aimChange(aimed, action.change)?.id) ?? 999_999
        const path = `${own}/changes/${change}`
        return action.do === 'edit' ? request('PUT', path, action.to) : request('DELETE', path)
      }
      case 'discard draft':
        return request('DELETE', own)
      case 'state': {
        const scheduledAt = '2030-01-01T00:00:00.000Z'
        const body = { state: action.state, ...(action.comment === null ? {} : { comment: action.comment }) }
        return request('PUT', `${own}/state`, action.state === 'Scheduled' ? { ...body, scheduledAt } : body)
      }
      case 'object': {
        const { text, who } = action
        const digest = await this.#toDigest(action.digest, `${own}/review`, who)
        return request('PUT', `${own}/objection`, { text, ...(digest && { digest }) })
      }
      case 'lift':
        return request('DELETE', `${own}/objection`)
      case 'dismiss': {
        const reason = 'The load test passes now.'
        return request('POST', `${own}/objections/${action.objection + 1}/dismissal`, { reason })
      }
      case 'take back':
        return request('DELETE', `${own}/approval`)
      case 'title':
        return request('PUT', `${own}/title`, { title: action.title })
      case 'comment':
        return request('POST', `${own}/comments`, { text: action.text })
      case 'approvers':
        return request('PUT', `${own}/approvers`, { reviewers: action.reviewers })
    }
  }

  async #toDigest(digest: Digest, review: string, who: Who): Promise<string | undefined> {
    if (digest === 'none') return undefined
    const read = digest === 'current' ? await this.#send(who, 'GET', review) : undefined
    return read?.body.digest ?? 'f'.repeat(64)
  }

  async #ifMatch(bound: string, target: Expected | undefined): Promise<Record<string, string>> {
    if (bound === 'free') return {}
    if (bound === 'any') return { 'if-match': '*' }
    const version = bound === 'past' ? 0 : ((await this.#stored(target))?.version ?? 1)
    return { 'if-match': `"7-7", "${target?.id ?? 1}-${version}"` }
  }

  async #compare(about: Expected, { status, body, headers }: Answer, before: { version: number } | undefined) {
    if (about.id === 0) about.id = body.id
    const stored = await this.#stored(about)
    if (about.isRemoved) {
      same(stored, undefined)
      return
    }
    const { version = 0, changeRequest } = stored ?? {}
    this.#learnIds(about, changeRequest)
    same(changeRequest && plain(changeRequest), plainExpectation(about))
    if (body?.features) same([body.state, headers.etag], [about.state, `"${about.id}-${version}"`])
    // A failed apply may change the version; no other rejected action does.
    if (status >= 400 && status < 500 && status !== 409) same(version, before?.version)
  }

  /** The ids of new changes are greater than all existing ids, and never change. */
  #learnIds({ changes }: Expected, stored: ChangeRequest | undefined): void {
    let highest = 0
    for (const [index, change] of changes.entries()) {
      if (change.id === 0) change.id = stored?.changes[index]?.id ?? 0
      same(change.id > highest, true)
      highest = change.id
    }
  }

  async #compareEvents(who: keyof typeof idOf, { events = [], about }: Verdict): Promise<void> {
    const fresh = await eventsAfter(this.#storage, this.#lastEvent)
    this.#lastEvent = fresh.at(-1)?.id ?? this.#lastEvent
    same(
      fresh.map(({ type, createdByUserId }) => [type, createdByUserId]),
      events.map((type) => [type, idOf[who]]),
    )
    for (const { type, data } of fresh) {
      if (about && type.startsWith('change-request-')) same(data.changeRequestId, about.id)
      if (type === 'change-request-approval-added') this.#compareDigest(String(data.digest), about)
    }
  }

  /** Digests are equal exactly when the changes are. */
  #compareDigest(digest: string, about: Expected | undefined): void {
    const content = JSON.stringify(
      about?.changes.map(({ id, action, feature, payload }) => [id, action, feature, payload]),
    )
    same(this.#digests.get(digest) ?? content, content)
    same(this.#digests.get(content) ?? digest, digest)
    this.#digests.set(digest, content).set(content, digest)
  }
}

/** `expect` would take longer than everything that it checks. */
function same(found: unknown, wanted: unknown): void {
  if (!isDeepStrictEqual(found, wanted)) expect(found).toEqual(wanted)
}

function plain({ state, title, minApprovals, changes, approvals, rejections, comments, ...rest }: ChangeRequest) {
  return {
    state,
    title,
    minApprovals,
    changes: changes.map(({ id, action, feature, payload, createdBy }) => [id, action, feature, payload, createdBy.id]),
    approvals: approvals.map(({ createdBy }) => createdBy.id),
    rejections: rejections.map(({ createdBy }) => createdBy.id),
    voided: (rest.voidedApprovals ?? []).map(({ by, cause }) => [by.id, cause]),
    objections: (rest.objections ?? []).map(({ id, by, text, outdated = false, ended }) => {
      return [id, by.id, text, outdated, ended?.how ?? null]
    }),
    comments: comments.map(({ id }) => id),
    approvers: rest.requestedApprovers,
    applying: rest.applying ?? null,
  }
}

function plainExpectation(expected: Expected) {
  const { state, title, minimum, changes, approvals, rejections, voided, objections, comments, approvers } = expected
  return {
    state,
    title,
    minApprovals: minimum,
    changes: changes.map(({ id, action, feature, payload, by }) => [id, action, feature, payload, idOf[by]]),
    approvals: approvals.map((who) => idOf[who]),
    rejections: rejections.map((who) => idOf[who]),
    voided: voided.map(({ by, cause }) => [idOf[by], cause]),
    objections: objections.map(({ id, by, text, outdated, ended }) => [id, idOf[by], text, outdated, ended]),
    comments: Array.from({ length: comments }, (_, index) => index + 1),
    approvers,
    applying: null,
  }
}

/** An action as a fast-check command, valid in every state. */
class ActionCommand implements fc.AsyncCommand<Rules, ModelRun> {
  readonly #action: Action

  constructor(action: Action) {
    this.#action = action
  }

  check(): boolean {
    return true
  }

  run(_: Rules, real: ModelRun): Promise<void> {
    return real.act(this.#action)
  }

  toString(): string {
    return JSON.stringify(this.#action)
  }
}

export const commands = (action: fc.Arbitrary<Action>) =>
  fc.commands([action.map((one) => new ActionCommand(one))], { maxCommands: 40, size: 'max' })
