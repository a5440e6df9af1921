import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import express from 'express'
import {
  apiKeys,
  type ChangeRequestRouterOptions,
  type FlagGateway,
  type Freeze,
  memoryStorage,
  type Storage,
} from '../../../src'
import { createClient } from '../../../src/client'
import { type Host, openHost, runCli } from '../support'

const admin = [{ permission: 'ADMIN' }] as const
const reading = ['READ_EVENTS', 'READ_CHANGE_REQUEST'] as const
const inProject = (project: string) => reading.map((permission) => ({ permission, project }))

const users = {
  ann: { user: { id: 1, username: 'ann' }, grants: admin },
  ben: { user: { id: 2, username: 'ben' }, grants: admin },
  cleo: { user: { id: 3, username: 'cleo' }, grants: admin },
  bot: { user: { id: 9, username: 'deploy-bot', kind: 'service' }, grants: [{ permission: 'CREATE_CHANGE_REQUEST' }] },
  auditor: { user: { id: 20, username: 'auditor' }, grants: reading.map((permission) => ({ permission })) },
  /** Can read one of the two projects. */
  ofShop: { user: { id: 21, username: 'of-shop' }, grants: inProject('shop') },
  /** Can read all events, but only the change requests of one project. */
  ofShopOnly: {
    user: { id: 22, username: 'of-shop-only' },
    grants: [{ permission: 'READ_EVENTS' }, { permission: 'READ_CHANGE_REQUEST', project: 'shop' }],
  },
} as const

export type Who = keyof typeof users

export const keyOf = (who: Who) => `key-of-${who}-0123456789`

/** A rollout that others edit next to the change requests. */
const strategyOf = (rollout: string) => ({
  id: 'some',
  name: 'flexibleRollout',
  disabled: false,
  parameters: { rollout },
})

export interface Scene extends Awaited<ReturnType<typeof openScene>> {}

/** A host with everything that can make an exception, whose clock a test sets. */
export async function openScene(storage: Storage = memoryStorage(), more: Partial<ChangeRequestRouterOptions> = {}) {
  const state = { now: Date.parse('2026-07-10T09:00:00.000Z'), isInterrupted: false, rollout: '10' }
  const freezes: Freeze[] = []
  const flags: FlagGateway = {
    current: async ({ features = [] }) => ({
      features: new Map(
        features.map((name) => [name, { archived: false, enabled: false, strategies: [strategyOf(state.rollout)] }]),
      ),
      segments: new Map(),
    }),
    apply: async (changes) =>
      changes.map(({ feature }) => ({ type: 'feature-environment-enabled', featureName: feature ?? '' })),
  }
  const options: Partial<ChangeRequestRouterOptions> = {
    authenticate: apiKeys(Object.entries(users).map(([name, user]) => ({ key: keyOf(name as Who), ...user }))),
    ...{ emergency: true, objections: true, adminSelfApproval: true, overwrites: 'allow' },
    freezes: () => freezes,
    approvalRules: [{ name: 'two for risky', when: { features: ['risky*'] }, approvals: 2, mode: 'trial' }],
    requiredApprovals: 1,
    clock: () => {
      state.now += 1_000
      return new Date(state.now)
    },
    ...more,
  }
  const interruptible: Storage = {
    ...storage,
    async commit(write) {
      if (state.isInterrupted && write.changeRequest.state === 'Applied') throw new Error('The process was killed.')
      return storage.commit(write)
    },
  }
  const host = await openHost(interruptible, { ...options, recordOnly: false, flags })
  const recording = await openHost(storage, options)
  const gated = express().post(
    '/flags',
    host.router.gate(() => ({ project: 'shop', environment: 'production' })),
    async (_req, res) => {
      const event = { type: 'feature-updated', project: 'shop', featureName: 'checkout', createdBy: 'ann' } as const
      await host.router.events.record([{ ...event, data: { name: 'checkout' } }])
      res.sendStatus(204)
    },
  )
  host.before = (req, res) => (req.url === '/flags' ? gated(req, res) : host.pass(req, res))

  const as = (who: Who, { url }: Pick<Host, 'url'> = host) => createClient({ api: url, key: keyOf(who) })
  let flagCount = 0
  const scene = {
    ...{ host, recording, state, freezes, as },
    at(instant: string) {
      state.now = Date.parse(instant)
    },
    /** A change request in review, of a flag of its own. */
    async propose(who: Who = 'ann', { project = 'shop', feature = `flag-${++flagCount}` } = {}) {
      const place = { project, environment: `place-${feature}` }
      const change = { action: 'updateEnabled', feature, payload: { enabled: true } } as const
      const { body } = await as(who).propose(place, [change])
      await as(who).setState({ project, id: body.id }, { state: 'In review' })
      return { project, id: body.id }
    },
    async approved(who: Who = 'ann', by: Who = 'ben', options: { project?: string; feature?: string } = {}) {
      const place = await scene.propose(who, options)
      await as(by).setState(place, { state: 'Approved' })
      return place
    },
    async applied(who: Who = 'ann', by: Who = 'ben', options: { project?: string; feature?: string } = {}) {
      const place = await scene.approved(who, by, options)
      await as(by).setState(place, { state: 'Applied' })
      return place
    },
    /** A write without a change request. */
    async skip(who: Who, reason: string) {
      const headers = { Authorization: keyOf(who), 'Change-Request-Skip-Reason': encodeURIComponent(reason) }
      const response = await fetch(host.url.replace('/api/admin', '/flags'), { method: 'POST', headers })
      if (response.status !== 204) throw new Error(`${response.status} ${await response.text()}`)
    },
    settings: (changeRequestsEnabled: boolean, requiredApprovals: number, project = 'shop') =>
      as('cleo').updateSettings(project, 'staging', { changeRequestsEnabled, requiredApprovals }),
    run: (args: readonly string[], who: Who = 'auditor') =>
      runCli(['evidence', ...args], { env: { CHANGE_REQUESTS_URL: host.url, CHANGE_REQUESTS_KEY: keyOf(who) } }).exit,
    async close() {
      await host.down()
      await recording.down()
    },
  }
  return scene
}

export interface Made {
  readonly emergency: number
  readonly own: number
  readonly dismissed: number
  readonly takenBack: number
  readonly risky: number
  readonly overwrite: number
  readonly settled: number
  readonly recorded: number
}

/** Makes each kind of exception in July, once. Returns the ids of the change requests. */
export async function makeExceptions(scene: Scene): Promise<Made> {
  const { as, state, freezes, host, recording } = scene
  await scene.applied()
  await scene.applied('bot', 'cleo')

  const emergency = await scene.propose()
  freezes.push({ name: 'Summer', reason: 'Nobody is here.', from: '2026-07-01T00:00:00Z' })
  await as('ann').setState(emergency, { state: 'Applied', emergency: { reason: 'Payments fail since 10:40.' } })
  freezes.length = 0
  await scene.skip('ann', 'Support called.')

  const own = await scene.applied('ben', 'ben')

  const dismissed = await scene.approved()
  await as('cleo').object(dismissed, { text: 'The load test fails.' })
  const [objection] = (await as('ben').review(dismissed)).body.objections ?? []
  await as('ben').dismissObjection(dismissed, objection?.id ?? 0, '=The load test was wrong.')
  await as('ben').setState(dismissed, { state: 'Applied' })

  const takenBack = await scene.approved()
  await as('ben').takeBackApproval(takenBack)
  await as('ann').setState(takenBack, { state: 'Cancelled' })

  const risky = await scene.applied('ann', 'ben', { feature: 'risky-search' })

  state.rollout = '10'
  const place = { project: 'shop', environment: 'rollouts' }
  const parameters = { rollout: '50', stickiness: 'default', groupId: 'slow' }
  const payload = { id: 'some', name: 'flexibleRollout', constraints: [], parameters }
  const { body } = await as('ann').propose(place, [{ action: 'updateStrategy', feature: 'slow', payload }])
  const overwrite = { project: 'shop', id: body.id }
  await as('ann').setState(overwrite, { state: 'In review' })
  state.rollout = '20'
  await as('ben').setState(overwrite, { state: 'Approved' })
  await as('ben').setState(overwrite, { state: 'Applied' })

  await scene.settings(true, 3)
  await scene.settings(true, 2)
  await scene.settings(false, 2)

  const settled = await scene.approved()
  state.isInterrupted = true
  await as('ben')
    .setState(settled, { state: 'Applied' })
    .catch(() => undefined)
  state.isInterrupted = false
  await host.router.settle({ ...settled, outcome: 'applied', events: [], force: true })

  const recorded = await scene.approved()
  await as('ben', recording).setState(recorded, { state: 'Applied' })

  // After the period.
  scene.at('2026-10-02T08:00:00.000Z')
  await as('ben').acknowledge(emergency)
  const idsOf = { emergency, own, dismissed, takenBack, risky, overwrite, settled, recorded }
  return Object.fromEntries(Object.entries(idsOf).map(([name, { id }]) => [name, id])) as unknown as Made
}

export const july = ['--from', '2026-07-01', '--to', '2026-07-31']

const folders: string[] = []

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'change-requests-evidence-'))
  folders.push(folder)
  return folder
}

export function removeFolders(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
}

export const linesOf = (folder: string, name: string): string[] =>
  readFileSync(join(folder, name), 'utf8').split('\n').filter(Boolean)

export const jsonLines = (folder: string, name: string) => linesOf(folder, name).map((line) => JSON.parse(line))

export const filesOf = (folder: string): Record<string, string> =>
  Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]))

export const verify = (...args: readonly string[]) => runCli(['verify-evidence', ...args]).exit
