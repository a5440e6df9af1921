import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import type { Knex } from 'knex'
import {
  type ApprovalRule,
  type Authenticate,
  type Check,
  type Consumer,
  type CustomFields,
  createChangeRequestRouter,
  type FeatureState,
  type FlagEvent,
  type FlagGateway,
  type Freezes,
  type Storage,
} from '../../../src'
import type { RecordedEvent } from '../../../src/generated'
import { type ReviewPageOptions, reviewPage } from '../../../src/page'
import type { PlainFlags } from '../../../src/storage/knex'
import { applyThrough, type ChangeOfTest, type FlagHost, openFlagHost } from '../../examples/support/flag-host'
import { sqlite, type TestDatabase } from '../../support/databases'
import { longTimeoutLimits } from '../../support/databases/long-timeouts'
import { type Calls, createCalls } from './calls'
import { createInterference, type Interference } from './interference'
import { createSessions, type PersonName, people, reviewers } from './people'

interface HostOptions {
  readonly database?: TestDatabase
  /** @defaultValue the gateway of the example server as it is */
  readonly flags?: (gateway: FlagGateway) => FlagGateway
  /** Flags of a table of the host, in place of those of the example server. */
  readonly table?: (knex: Knex) => Promise<PlainFlags<Knex.Transaction>>
  /** @defaultValue `'host'`, which signs in by a cookie */
  readonly signIn?: 'host' | 'key'
  /** The option `api` of the page. @defaultValue the path of the router */
  readonly api?: string
  /** The option `frameAncestors` of the page. */
  readonly frameAncestors?: ReviewPageOptions['frameAncestors']
  /** @defaultValue cookies and keys */
  readonly authenticate?: Authenticate
  /** The path of the page. */
  readonly mount?: string
  readonly express?: typeof express
  /** @defaultValue none */
  readonly freezes?: Freezes
  /** In addition to the rule for `pay*`. @defaultValue none */
  readonly approvalRules?: readonly ApprovalRule[]
  /** The option `checks` of the router. @defaultValue none */
  readonly checks?: readonly Check[]
  /** @defaultValue none */
  readonly customFields?: CustomFields
  /** The option `objections` of the router. @defaultValue false */
  readonly objections?: boolean
  /** @defaultValue `'url'` */
  readonly featureNames?: 'url' | 'any'
  /** The result of an interrupted apply, as the flag gateway returns it. */
  readonly outcome?: FlagGateway['outcome']
}

/** A host with flags, by default those of the example server, the router and the page. */
export interface PageHost
  extends Calls,
    Omit<Interference, 'handler'>,
    Omit<ReturnType<typeof createSessions>, 'authenticate'> {
  /** The address of a screen. */
  url(path?: string): string
  /** The session of a user, for a browser. */
  as(who: PersonName, path?: string): { readonly url: string; readonly cookies: Readonly<Record<string, string>> }
  /** Changes flags without a review, and records it. */
  changeFlags(...changes: ChangeOfTest[]): Promise<void>
  /** Adds flags of project default: off in production, with a strategy `<name>-some` for 25 % there. */
  addFlags(names: readonly string[]): Promise<void>
  /** Records that Cara created a flag in a project. */
  recordFlag(project: string, featureName: string): Promise<void>
  /** Removes the latest event, like a failover to a server without it. */
  loseEvent(): Promise<void>
  place: FlagHost['place']
  segment: FlagHost['segment']
  /** The flag in production, as the store returns it. */
  current(feature: string): Promise<FeatureState | undefined>
  readonly storage: Storage
  /** Adds a durable consumer of the log. */
  consume(consumer: Consumer): void
  /** Moves the clock of the host forward, and runs what is due. */
  runAt(time: Date): Promise<void>
  close(): Promise<void>
}

export const api = '/api/admin'

export async function startHost(options: HostOptions = {}): Promise<PageHost> {
  const { database = sqlite, signIn = 'host', mount = '/review', express: framework = express } = options
  const flags = await openFlagHost(database)
  const table = await options.table?.(flags.opened.knex)
  const gateway = (table?.flags as FlagGateway | undefined) ?? options.flags?.(flags.gateway) ?? flags.gateway
  const { handler, ...interference } = createInterference()
  const { authenticate, ...sessions } = createSessions()
  let aheadMs = 0
  const router = createChangeRequestRouter({
    storage: withoutClock(flags.opened.storage),
    authenticate: options.authenticate ?? authenticate,
    directory: table?.directory ?? flags.store.directory,
    ...(table && { validate: table.validate }),
    flags: { ...gateway, ...(options.outcome && { outcome: options.outcome }) },
    users: { find: (ids) => Object.values(people).filter(({ id }) => ids.includes(id)), reviewers: () => reviewers },
    approvalRules: [
      { name: 'payments owners', when: { features: ['pay*'] }, approvals: 1, from: { groups: ['payments'] } },
      ...(options.approvalRules ?? []),
    ],
    freezes: options.freezes ?? [],
    customFields: options.customFields ?? null,
    featureNames: options.featureNames ?? 'url',
    emergency: true,
    objections: options.objections ?? false,
    checks: options.checks ?? [],
    schedule: 'here',
    logger: false,
    clock: () => new Date(Date.now() + aheadMs),
    limits: longTimeoutLimits,
  })
  const app = framework().use(handler)
  app.get('/sign-in', (_req, res) => void res.send('The host signs people in here.'))
  app.get('/sign-out', (_req, res) => void res.clearCookie('person').send('The host signed you out.'))
  app.get('/framed', (req, res) => void res.send(`<!doctype html><iframe src="${req.query.url}"></iframe>`))
  app.use(
    mount,
    reviewPage({
      api: options.api ?? api,
      signIn,
      ...(options.frameAncestors && { frameAncestors: options.frameAncestors }),
      ...(signIn === 'host' && { signInUrl: '/sign-in', signOutUrl: '/sign-out' }),
    }),
  )
  app.use(router)
  const server = createServer({ keepAliveTimeout: 0 }, app as RequestListener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  router.start()
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const url = (path = '') => `${origin}${mount}${path}`
  return {
    ...interference,
    ...sessions,
    ...createCalls(origin + api),
    url,
    as: (who, path) => ({ url: url(path), cookies: signIn === 'host' ? { person: who } : {} }),
    place: flags.place,
    segment: flags.segment,
    async current(feature) {
      const subjects = { project: 'default', environment: 'production', features: [feature], segments: [] }
      return (await gateway.current(subjects)).features.get(feature)
    },
    storage: flags.opened.storage,
    async changeFlags(...changes) {
      await router.events.record((await applyThrough(gateway, flags.opened, changes)).map(toRecorded))
    },
    async addFlags(names) {
      const { knex } = flags.opened
      const parameters = JSON.stringify({ rollout: '25', stickiness: 'default', groupId: 'demo' })
      const place = { environment: 'production' }
      const rest = { ...place, name: 'flexibleRollout', disabled: false, constraints: '[]', parameters, variants: '[]' }
      for (const name of names) {
        await knex('flag_features').insert({ name, project: 'default', description: '', tags: '[]', archived: false })
        await knex('flag_feature_environments').insert({ feature: name, ...place, enabled: false })
        await knex('flag_strategies').insert({ id: `${name}-some`, feature: name, sort_order: 1, ...rest })
      }
    },
    async recordFlag(project, featureName) {
      const { email, id } = people.cara
      const event = { type: 'feature-created', project, featureName, createdBy: email ?? '', createdByUserId: id }
      await router.events.record([event as RecordedEvent])
    },
    async loseEvent() {
      const events = flags.opened.knex('ffcr_events')
      await events.where('id', flags.opened.knex('ffcr_events').max('id')).delete()
      await router.events.recount()
    },
    consume: (consumer) => router.events.consume(consumer),
    async runAt(time) {
      aheadMs = time.getTime() - Date.now()
      await router.runDue()
    },
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
      await router.close()
      await flags.opened.close()
    },
  }
}

/** A storage without a clock, so that a test can set the clock of the host. */
function withoutClock(storage: Storage): Storage {
  return new Proxy(storage, {
    get(target, name) {
      if (name === 'health') return async () => ({ ...(await target.health()), now: undefined })
      const value = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

/** The event of a flag that Cara changed directly. */
function toRecorded({ type, featureName, data, preData }: FlagEvent): RecordedEvent {
  const { email, id } = people.cara
  const place = { project: 'default', environment: 'production', createdBy: email ?? '', createdByUserId: id }
  return {
    type,
    ...place,
    featureName: featureName ?? null,
    data: data ?? null,
    preData: preData ?? null,
  } as RecordedEvent
}
