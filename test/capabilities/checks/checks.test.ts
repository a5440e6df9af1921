import type { Check, FlagGateway } from '../../../src'
import { changeSettings } from '../../../src/capabilities/settings/change-settings'
import { by, createFixture, type FixtureOptions, rejection } from '../../kernel/support/fixture'
import { HostFlags } from '../../kernel/support/flags'
import { withTransactions } from '../../kernel/support/transactions'
import { checksOf, ci, report, reviewOf } from '../support/checks'

const pii = [{ type: 'data', value: 'pii' }]
const tagged: Check = { name: 'pii', when: { tags: pii } }

describe('the option checks as a function', () => {
  /** Approved while the function worked; then it returns this. */
  async function approvedBefore(then: () => readonly Check[]) {
    let current: () => readonly Check[] = () => []
    const fixture = createFixture({ flags: new HostFlags(), emergency: true, checks: () => current() })
    await fixture.approved()
    current = then
    return fixture
  }

  const work = (fixture: Awaited<ReturnType<typeof approvedBefore>>) => [
    () => report(fixture, { digest: 'sha256:0' }),
    () => fixture.to('ben', 'Applied'),
    () => fixture.to('ben', 'Applied', { reason: 'Customers cannot pay.' }),
  ]

  it('returns 503 when it throws, also for an emergency', async () => {
    const fixture = await approvedBefore(() => {
      throw new Error('down')
    })
    for (const one of work(fixture)) expect((await rejection(one())).name).toBe('UnavailableError')
    expect((await fixture.stored())?.state).toBe('Approved')
  })

  it('returns 500 with the check in the log when the result is invalid', async () => {
    const fixture = await approvedBefore(() => [{ name: 'CI' }])
    for (const one of work(fixture)) {
      const { name, cause } = await rejection(one())
      expect(name).toBe('UnknownError')
      expect((cause as Error).message).toMatch(/^checks .*"CI": name must have/)
    }
    expect((await fixture.stored())?.state).toBe('Approved')
  })
})

describe('a check of a change to the whole project', () => {
  const archive = { action: 'archiveFeature', feature: 'checkout', payload: {} } as const

  async function open() {
    const checks = ({ environment }: { environment: string }): Check[] => [
      { name: 'ci', from: { groups: [environment] }, required: environment === 'production' },
    ]
    const environments = () => ['development', 'production'].map((name) => ({ name, type: name }))
    const fixture = createFixture({ flags: new HostFlags(), checks, directory: { environments } })
    for (const environment of ['development', 'production']) {
      const place = { project: 'shop', environment, requiredApprovals: 1, changeRequestsEnabled: true }
      await changeSettings(fixture.services, { ...by('dora'), ...place })
    }
    await fixture.propose('ann', [archive], { environment: 'development' })
    await fixture.to('ann', 'In review')
    return fixture
  }

  const both = { ...ci, groups: ['development', 'production'] }

  it('accepts reports of those who meet `from` in each environment that has it', async () => {
    const fixture = await open()
    const sentence = (group: string) => `The check "ci" accepts reports of members of "${group}" only.`
    for (const [groups, missing] of [
      [['development'], ['production']],
      [['production'], ['development']],
      [[], ['development', 'production']],
    ] as const) {
      const { details } = await rejection(report(fixture, { who: { ...ci, groups } }))
      expect(details).toMatchObject(missing.map((group) => ({ code: 'missing-permission', message: sentence(group) })))
    }
    await report(fixture, { who: both })
    expect((await reviewOf(fixture)).checks).toMatchObject([{ name: 'ci', required: true, status: 'passed' }])
  })

  it('needs the permission in each environment', async () => {
    const fixture = await open()
    fixture.host.allows = (_, permission, { environment }) =>
      permission !== 'REPORT_CHECK' || environment !== 'production'
    const { details } = await rejection(report(fixture, { who: both }))
    expect(details).toMatchObject([{ code: 'missing-permission' }])
  })
})

describe('the checks of an apply', () => {
  it('are in its event if the apply was interrupted, and settled by the gateway', async () => {
    const flags = new HostFlags()
    const gateway: { -readonly [name in keyof FlagGateway]: FlagGateway[name] } = {
      current: (subjects) => flags.current(subjects),
      apply: () => Promise.reject(new Error('down')),
      outcome: () => Promise.reject(new Error('down')),
    }
    const fixture = createFixture({ flags: gateway, checks: [{ name: 'ci' }] })
    await fixture.approved()
    await report(fixture)
    await rejection(fixture.to('ben', 'Applied'))
    gateway.outcome = async () => [{ type: 'feature-environment-enabled', featureName: 'checkout' }]
    fixture.host.now += 60_001
    await fixture.to('ben', 'Applied')
    const applied = (await fixture.events()).find(({ type }) => type === 'change-request-applied')
    expect(applied?.data?.checks).toMatchObject([
      { name: 'ci', required: true, status: 'passed', reportedBy: { id: 9, username: 'ci', kind: 'service' } },
    ])
  })

  /** A gateway in the transaction of the storage. `before` is called before it locks the flags. */
  class TransactionFlags extends HostFlags {
    readonly transactional = true
    before: () => void = () => {}

    override async current(...[subjects, options]: Parameters<NonNullable<FlagGateway['current']>>) {
      if (options !== undefined) this.before()
      return super.current(subjects)
    }
  }

  async function inTransaction(options: FixtureOptions) {
    const flags = new TransactionFlags()
    const fixture = createFixture({ flags, storage: (memory) => withTransactions(memory).storage, ...options })
    await fixture.approved()
    return { ...fixture, flags }
  }

  it('are worked out again on the flags that its transaction locked', async () => {
    const fixture = await inTransaction({ checks: [tagged] })
    expect(await checksOf(fixture)).toEqual([])
    fixture.flags.before = () => {
      fixture.flags.tags = pii
    }
    const { details } = await rejection(fixture.to('ben', 'Applied'))
    expect(details).toMatchObject([{ code: 'missing-check', message: expect.stringContaining('"pii"') }])
    expect([(await fixture.stored())?.state, fixture.flags.applied]).toEqual(['Approved', []])
    fixture.flags.before = () => {}
    await report(fixture, { name: 'pii' })
    expect((await fixture.to('ben', 'Applied')).changeRequest.state).toBe('Applied')
  })
})
