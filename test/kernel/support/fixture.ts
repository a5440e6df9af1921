import { ChangeRequestError, type Logger, memoryStorage, type Storage } from '../../../src'
import { addChanges } from '../../../src/capabilities/proposals/changes'
import { changeState } from '../../../src/capabilities/state/change-state'
import type { NewChange } from '../../../src/domain/change-request'
import type { State } from '../../../src/domain/lifecycle'
import type { Services } from '../../../src/kernel/services'
import type { Limits } from '../../../src/options/limits'
import { resolveOptions } from '../../../src/options/resolve-options'
import type { ResolvedOptions } from '../../../src/options/router-options'
import type { Actor, Permission, Scope } from '../../../src/ports/access'
import { createServices } from '../../../src/router/services'

export const noon = '2026-03-04T12:00:00.000Z'
export const inAnHour = '2026-03-04T13:00:00.000Z'

/** Ann proposes, Ben and Cleo review, Dora is an admin; the robot has no user id. */
export const actors = {
  ann: { id: 1, username: 'ann', email: 'ann@example.com' },
  ben: { id: 2, username: 'ben', email: 'ben@example.com' },
  cleo: { id: 3, username: 'cleo', email: 'cleo@example.com' },
  dora: { id: 4, username: 'dora', email: 'dora@example.com' },
  robot: { id: null, username: 'robot' },
} satisfies Record<string, Actor>

export type Who = keyof typeof actors

export interface Line {
  readonly level: keyof Logger
  // biome-ignore lint/suspicious/noExplicitAny: what a log line holds is asserted by the tests.
  readonly facts: any
  readonly text: string
}

export interface FixtureOptions extends Partial<Omit<ResolvedOptions, 'storage' | 'limits'>> {
  readonly limits?: Partial<Limits>
  readonly parseEvent?: Services['parseEvent']
  /** Wraps the storage, for example with another process that is faster. */
  readonly storage?: (memory: Storage) => Storage
}

export type Fixture = ReturnType<typeof createFixture>

/** The services for operations that `src/router` creates, on a memory storage, with unchecked options. */
export function createFixture({ parseEvent, storage: inFront, limits, ...given }: FixtureOptions = {}) {
  const memory = memoryStorage()
  const storage = inFront === undefined ? memory : inFront(memory)
  const lines: Line[] = []
  const at = (level: Line['level']) => (facts: object, text: string) => void lines.push({ level, facts, text })
  const logger: Logger = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
  const host = {
    now: Date.parse(noon),
    /** Every call of `authorize`. */
    asked: [] as { readonly who: number | null; readonly permission: Permission; readonly scope: Scope }[],
    /** Everyone has all permissions except ADMIN. */
    allows: ({ id }: Actor, permission: Permission, _scope: Scope): boolean => permission !== 'ADMIN' || id === 4,
  }
  const defaults = resolveOptions({ storage: memory, authenticate: () => null, gravatar: false })
  const options: ResolvedOptions = {
    ...defaults,
    storage,
    authorize(actor, permission, scope) {
      host.asked.push({ who: actor.id, permission, scope })
      return host.allows(actor, permission, scope)
    },
    logger,
    clock: () => new Date(host.now),
    ...given,
    limits: { ...defaults.limits, ...limits },
  }
  const acceptsSchedules = () => options.schedule !== 'off'
  const services: Services = {
    ...createServices(options, { acceptsSchedules }),
    ...(parseEvent && { parseEvent }),
  }
  return { services, storage, memory, lines, host, ...steps(services) }
}

interface StepDetails {
  readonly id?: number
  readonly comment?: string
  readonly digest?: string | null
  readonly reason?: string
  readonly ifMatch?: string
  readonly scheduledAt?: string
  /** For Scheduled: what it follows, and how many minutes later. */
  readonly after?: number
  readonly minutesAfter?: number
}

/** Steps to set up a test. */
function steps(services: Services) {
  const { storage } = services
  return {
    propose: (who: Who, changes: readonly NewChange[] = [enable()], place: Partial<typeof production> = {}) =>
      addChanges(services, { ...by(who), ...production, ...place, changes }),
    to: (who: Who, state: State, more: StepDetails = {}) => {
      const { id = 1, comment = null, digest = null, reason = null, ifMatch, after, minutesAfter } = more
      const hasTime = state === 'Scheduled' && minutesAfter === undefined
      const scheduledAt = more.scheduledAt ?? (hasTime ? inAnHour : null)
      const input = { project: 'shop', id, state, comment, digest, reason, scheduledAt, after, minutesAfter }
      return changeState(services, { ...by(who), ifMatch, ...input })
    },
    async reviewed(changes?: readonly NewChange[]) {
      const { changeRequest } = await this.propose('ann', changes)
      return this.to('ann', 'In review', { id: changeRequest.id })
    },
    async approved(changes?: readonly NewChange[]) {
      const { changeRequest } = await this.reviewed(changes)
      return this.to('ben', 'Approved', { id: changeRequest.id })
    },
    stored: async (id = 1, project = 'shop') => (await storage.find({ project }, id))?.changeRequest,
    events: () => eventsOf(storage),
    eventTypes: async () => (await eventsOf(storage)).map(({ type }) => type),
  }
}

export const production = { project: 'shop', environment: 'production' }

/** The call of a user, with the input that every write has. */
export function by(who: Who) {
  return { actor: actors[who] as Actor, ip: '192.0.2.7', ifMatch: undefined as string | undefined }
}

export function enable(feature = 'checkout'): NewChange {
  return { action: 'updateEnabled', feature, payload: { enabled: true } }
}

export function renameSegment(id: number, name = `segment ${id}`): NewChange {
  return { action: 'updateSegment', feature: null, payload: { id, name, constraints: [] } }
}

/** All events of the log, oldest first, as they are served. */
export async function eventsOf(storage: Storage) {
  const { json } = await storage.eventPage({}, { after: 0 }, 10_000)
  // biome-ignore lint/suspicious/noExplicitAny: what an event holds is asserted by the tests.
  return JSON.parse(`[${Buffer.from(json)}]`) as { id: number; type: string; [key: string]: any }[]
}

/** The error that the work is rejected with. */
export async function rejection(work: Promise<unknown> | (() => Promise<unknown>)): Promise<ChangeRequestError> {
  try {
    await (typeof work === 'function' ? work() : work)
  } catch (error) {
    if (ChangeRequestError.is(error)) return error
    throw error
  }
  throw new Error('Nothing was rejected.')
}

/** Rejections are expected; anything else fails the test. True if it was accepted. */
export async function accepted(work: Promise<unknown>): Promise<boolean> {
  try {
    await work
    return true
  } catch (error) {
    if (ChangeRequestError.is(error)) return false
    throw error
  }
}

/** Resolves when the condition holds. Throws after 10 seconds, because polling would go on during the next tests. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 10_000
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`The condition never held: ${holds}`)
    await new Promise(setImmediate)
  }
}

export async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = []
  for await (const item of items) all.push(item)
  return all
}

/** Another process is faster: the next commits are lost, each after what that process did. */
export function losing(races: readonly (() => unknown)[], memory: Storage): Storage {
  const left = [...races]
  return {
    ...memory,
    async commit(write) {
      const race = left.shift()
      if (race === undefined) return memory.commit(write)
      await race()
      return false
    },
  }
}
