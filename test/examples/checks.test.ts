import { spawn } from 'node:child_process'
import { createHmac, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type FlagState, memoryStorage, type StrategyState, type Subjects } from '../../src'
import type { ReviewView, SubmittedChange } from '../../src/generated'
import { type Host, keyOf, openHost } from '../cli/support'

const { verdictOf } = require('../../examples/ci/policy.js') as {
  verdictOf(review: ReviewView): { status: string; summary: string }
}
const example = join(__dirname, '../../examples/ci')
const place = { project: 'shop', id: 1 }
const rollout = (percentage: number) => ({ rollout: `${percentage}`, stickiness: 'default', groupId: 'checkout' })
const strategy = (id: string, percentage: number): StrategyState => ({
  ...{ id, name: 'flexibleRollout', disabled: false, parameters: rollout(percentage) },
})
const flags = {
  async current({ features, segments }: Subjects): Promise<FlagState> {
    const state = { archived: false, enabled: true, strategies: [strategy('s1', 10), strategy('s2', 50)] }
    return {
      features: new Map(features.map((name) => [name, state])),
      segments: new Map(segments.map((id) => [id, { name: `segment ${id}` }])),
    }
  },
  apply: async () => [],
}
const update = (id: string, percentage: number): SubmittedChange => ({
  ...{ action: 'updateStrategy', feature: 'checkout' },
  payload: { id, name: 'flexibleRollout', constraints: [], parameters: rollout(percentage) },
})
const add = (percentage: number): SubmittedChange => ({
  ...{ action: 'addStrategy', feature: 'checkout' },
  payload: { name: 'flexibleRollout', constraints: [], parameters: rollout(percentage) },
})

let host: Host

beforeEach(async () => {
  const checks = ['policy', 'ci'].map((name) => ({ name, byAuthor: true }))
  host = await openHost(memoryStorage(), { flags, checks, recordOnly: false })
})
afterEach(() => host.down())

async function submitted(...changes: SubmittedChange[]): Promise<ReviewView> {
  const bot = host.as('bot')
  await bot.propose({ project: 'shop', environment: 'production' }, changes)
  await bot.setState(place, { state: 'In review' })
  return (await bot.review(place)).body
}

describe('the policy', () => {
  it.each([
    ['one step of 25', 'passed', [update('s1', 35)]],
    ['one step of 26', 'failed', [update('s1', 36)]],
    ['four steps of 10', 'failed', [update('s1', 20), update('s1', 30), update('s1', 40), update('s1', 50)]],
    ['up and down again', 'passed', [update('s1', 90), update('s1', 20)]],
    ['a step back of 40', 'failed', [update('s2', 10)]],
    ['two strategies by 20', 'passed', [update('s1', 30), update('s2', 70)]],
    ['a new strategy of 25', 'passed', [add(25)]],
    ['a new strategy of 26', 'failed', [add(26)]],
  ] as const)('%s: %s', async (_, status, changes) => {
    expect(verdictOf(await submitted(...changes))).toMatchObject({ status })
  })

  it('counts implied changes, and what it cannot read is too much', async () => {
    const review = await submitted(update('s1', 20))
    const [feature] = review.changeRequest.features
    const implied = { action: 'addStrategy', payload: { name: 'flexibleRollout', parameters: rollout(100) } } as const
    const changeRequest = { ...review.changeRequest, features: [{ ...feature, defaultChange: implied }] } as never
    expect(verdictOf({ ...review, changeRequest }).status).toBe('failed')
    const [change] = review.changes
    const unreadable = { ...change, after: { id: 's1', parameters: { rollout: 'most' } } } as never
    expect(verdictOf({ ...review, changes: [unreadable] }).status).toBe('failed')
  })
})

/** The process, once it listens. */
async function started(script: string, args: readonly string[] = []) {
  const secret = `whsec_${randomBytes(32).toString('base64')}`
  const own = { CHANGE_REQUESTS_URL: host.url, CHANGE_REQUESTS_KEY: keyOf('ben'), WEBHOOK_SECRET: secret, PORT: '0' }
  const child = spawn(process.execPath, [join(example, script), ...args], { env: { PATH: process.env.PATH, ...own } })
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  const url = line.replace('listening on ', '')
  return {
    async webhook(key = secret) {
      const [id, timestamp, body] = ['1', `${Math.floor(Date.now() / 1_000)}`, '{}']
      const hmac = createHmac('sha256', Buffer.from(key.replace('whsec_', ''), 'base64'))
      const signature = `v1,${hmac.update(`${id}.${timestamp}.${body}`).digest('base64')}`
      const names = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature }
      return (await fetch(url, { method: 'POST', body, headers: names })).status
    },
    async stop() {
      child.kill()
      await once(child, 'close')
    },
  }
}

async function statusOf(name: string) {
  for (;;) {
    const { checks = [] } = (await host.as('bot').review(place)).body
    const found = checks.find((one) => one.name === name)
    if (found?.status != null) return found
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

describe('the receiver', () => {
  it('reports what waits at its start', async () => {
    await submitted(update('s1', 60))
    const receiver = await started('policy.js')
    expect(await statusOf('policy')).toMatchObject({
      ...{ status: 'failed', summary: 'checkout: from 10 % to 60 %. At most 25 points in one change request.' },
    })
    await receiver.stop()
  })

  it('reports as soon as a signed webhook comes', async () => {
    const receiver = await started('run-check.js', [
      'ci',
      process.execPath,
      '-e',
      'process.exitCode = +!process.env.DIGEST',
    ])
    await submitted(update('s1', 20))
    expect(await receiver.webhook(`whsec_${randomBytes(32).toString('base64')}`)).toBe(401)
    expect(await receiver.webhook()).toBe(204)
    expect(await statusOf('ci')).toMatchObject({ status: 'passed', reportedBy: { id: 2 } })
    await receiver.stop()
  })
})
