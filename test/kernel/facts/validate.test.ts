import {
  ChangeRequestError,
  type ChangeRequestErrorOptions,
  type ErrorDetail,
  type ErrorName,
  type Validate,
  type ValidationContext,
} from '../../../src'
import { editChange } from '../../../src/capabilities/proposals/changes'
import { revert } from '../../../src/capabilities/revert/routes'
import { review } from '../../../src/capabilities/review/review'
import { actors, by, createFixture, enable, type FixtureOptions, production, rejection } from '../support/fixture'
import { HostFlags, never } from '../support/flags'

const here = { project: 'shop', id: 1 }

interface Asked extends ValidationContext {
  readonly changes: readonly object[]
}

/** A host app whose validator returns what the test sets, and records its calls. */
function open(options: FixtureOptions = {}) {
  const asked: Asked[] = []
  const host = { says: (_context: ValidationContext): ReturnType<Validate> => [] }
  const validate: Validate = (changes, context) => {
    asked.push({ ...context, changes: structuredClone(changes) })
    return host.says(context)
  }
  const fixture = createFixture({ flags: new HostFlags(), validate, ...options })
  const edit = () => editChange(fixture.services, { ...by('ann'), ...here, changeId: 1, change: enable('search') })
  const read = () => review(fixture.services, { actor: actors.ann, ...here })
  return { ...fixture, validator: host, validated: asked, edit, read }
}

const wrong: ErrorDetail = { path: '/body/0/payload/enabled', message: 'not on a Friday' }
const invalidAt = (when: string) => (context: ValidationContext) => (context.when === when ? [wrong] : [])
const codesOf = ({ steps }: Awaited<ReturnType<typeof review>>, name: string) =>
  steps.find(({ step }) => step === name)?.missing.map(({ code, message }) => `${code}: ${message}`)

/** @see contract 4.4 */
describe('the option validate', () => {
  it('is called for proposals, on submit and on apply', async () => {
    const fixture = open()
    await fixture.propose('ann')
    await fixture.propose('ann', [enable('basket')])
    await fixture.edit()
    await fixture.to('ann', 'In review')
    await fixture.to('ben', 'Approved')
    await fixture.to('ben', 'Applied')
    const change = (feature: string, id: number | null = null) => ({ id, ...enable(feature) })
    const ann = { ...production, actor: actors.ann }
    const one = { current: [{ enabled: false }] }
    const both = {
      changes: [change('basket', 2), change('search', 3)],
      current: [{ enabled: false }, { enabled: false }],
    }
    expect(fixture.validated).toEqual([
      { when: 'propose', ...ann, ...one, changes: [change('checkout')] },
      { when: 'propose', ...ann, ...one, changes: [change('basket')] },
      { when: 'propose', ...ann, ...one, changes: [change('search')] },
      { when: 'submit', ...ann, ...both },
      { when: 'apply', ...production, actor: actors.ben, ...both },
    ])
  })

  it('rejects a proposal with its details, and nothing is stored', async () => {
    const fixture = open()
    fixture.validator.says = invalidAt('propose')
    const error = await rejection(fixture.propose('ann'))
    expect([error.name, error.message, error.details]).toEqual([
      'BadDataError',
      'The changes are invalid. See details for each problem.',
      [{ ...wrong, code: 'invalid' }],
    ])
    expect(await fixture.events()).toEqual([])
  })

  it('rejects an edit, whose body is a single change', async () => {
    const fixture = open()
    await fixture.propose('ann')
    fixture.validator.says = invalidAt('propose')
    const { name, details } = await rejection(fixture.edit())
    expect([name, details]).toEqual(['BadDataError', [{ ...wrong, path: '/body/payload/enabled', code: 'invalid' }]])
    expect((await fixture.stored())?.changes.map(({ feature }) => feature)).toEqual(['checkout'])
  })

  it('rejects submit and apply, naming the change', async () => {
    const fixture = open()
    await fixture.propose('ann')
    const details = [{ message: 'Switching checkout on, the state: not on a Friday', code: 'invalid' }]
    fixture.validator.says = invalidAt('submit')
    expect(await rejection(fixture.to('ann', 'In review'))).toMatchObject({ name: 'BadDataError', details })
    fixture.validator.says = invalidAt('apply')
    await fixture.to('ann', 'In review')
    await fixture.to('ben', 'Approved')
    expect(await rejection(fixture.to('ben', 'Applied'))).toMatchObject({ name: 'BadDataError', details })
    expect(await rejection(fixture.to('ben', 'Scheduled'))).toMatchObject({ name: 'BadDataError', details })
    expect((await fixture.stored())?.state).toBe('Approved')
  })

  it('is called for a closed change request only about a copy of it', async () => {
    const fixture = open()
    await fixture.propose('ann')
    await fixture.to('ann', 'Cancelled')
    fixture.validated.length = 0
    expect((await rejection(fixture.to('ann', 'In review'))).name).toBe('ConflictError')
    expect(fixture.validated).toEqual([])
    await fixture.read()
    expect(fixture.validated).toMatchObject([{ when: 'propose', changes: [{ id: null, ...enable() }] }])
  })

  it('gets copies, so that it cannot modify anything', async () => {
    const validate: Validate = (changes) => {
      for (const { payload } of changes as readonly { payload: { enabled?: boolean; more?: object } }[]) {
        payload.enabled = false
        payload.more = {}
      }
    }
    const flags = new HostFlags()
    const fixture = open({ flags, validate })
    const change = enable()
    await fixture.approved([change])
    await fixture.to('ben', 'Applied')
    expect(change.payload).toEqual({ enabled: true })
    expect((await fixture.stored())?.changes[0]?.payload).toEqual({ enabled: true })
    expect(flags.applied[0]?.map(({ payload }) => payload)).toEqual([{ enabled: true }])
  })

  it.each([
    ['throws', () => Promise.reject(new Error('secret')), 'UnavailableError'],
    ['does not answer', never, 'UnavailableError'],
    [
      'throws a ChangeRequestError of a 503',
      () => Promise.reject(new ChangeRequestError('UnavailableError', 'Wait.')),
      'UnavailableError',
    ],
    [
      'throws a ChangeRequestError of a 500',
      () => Promise.reject(new ChangeRequestError('UnknownError', 'Wait.')),
      'UnknownError',
    ],
    [
      'throws a ChangeRequestError of a name that is not known here',
      () => Promise.reject(new ChangeRequestError('InternalError' as never, 'Wait.')),
      'InternalError',
    ],
    ['answers a boolean', () => true as never, 'UnknownError'],
    ['answers a list of texts', () => ['no'] as never, 'UnknownError'],
  ])('that %s rejects every step that calls it', async (_, says, name) => {
    const fixture = open({ limits: { hookTimeoutMs: 5 } })
    await fixture.propose('ann')
    fixture.validator.says = says
    expect((await rejection(fixture.propose('ann'))).name).toBe(name)
    expect((await rejection(fixture.edit())).name).toBe(name)
    expect((await rejection(fixture.to('ann', 'In review'))).name).toBe(name)
    expect((await rejection(fixture.read())).name).toBe(name)
    expect((await fixture.stored())?.state).toBe('Draft')
  })

  describe('that rejects by throwing', () => {
    const refusals: readonly (readonly [ErrorName, ChangeRequestErrorOptions, string])[] = [
      ['ConflictError', {}, 'Wait for Monday.'],
      ['BadDataError', { details: [wrong] }, 'Switching checkout on, the state: not on a Friday'],
      ['NotFoundError', { details: [{ message: 'no such plan', path: '/body/7' }] }, 'no such plan'],
      ['PermissionError', { permissions: ['CREATE_FLAG'] }, 'Wait for Monday.'],
    ]
    const throwing =
      (name: ErrorName, options: ChangeRequestErrorOptions, at: string) => (context: ValidationContext) => {
        if (context.when === at) throw new ChangeRequestError(name, 'Wait for Monday.', options)
        return []
      }

    it.each(refusals)('with a %s, rejects a step as if it had returned the details', async (name, options, message) => {
      const fixture = open({ schedule: 'elsewhere' })
      await fixture.propose('ann')
      const refusal = { name: 'BadDataError', details: [{ message, code: 'invalid' }] }
      fixture.validator.says = throwing(name, options, 'submit')
      expect(codesOf(await fixture.read(), 'submit')).toEqual([`invalid: ${message}`])
      expect(codesOf(await fixture.read(), 'edit')).toEqual([])
      expect(await rejection(fixture.to('ann', 'In review'))).toMatchObject(refusal)
      fixture.validator.says = throwing(name, options, 'apply')
      await fixture.to('ann', 'In review')
      await fixture.to('ben', 'Approved')
      for (const step of ['apply', 'schedule', 'applyInEmergency']) {
        expect(codesOf(await fixture.read(), step)).toContain(`invalid: ${message}`)
      }
      expect(await rejection(fixture.to('ben', 'Applied'))).toMatchObject(refusal)
      expect(await rejection(fixture.to('ben', 'Scheduled'))).toMatchObject(refusal)
      expect((await fixture.stored())?.state).toBe('Approved')
    })

    it('returns its own error for a proposal and an edit', async () => {
      const fixture = open()
      await fixture.propose('ann')
      const thrown = new ChangeRequestError('ConflictError', 'Wait for Monday.', { details: [wrong] })
      fixture.validator.says = () => Promise.reject(thrown)
      expect(await rejection(fixture.propose('ann'))).toBe(thrown)
      expect(await rejection(fixture.edit())).toBe(thrown)
      expect((await fixture.stored())?.changes.map(({ feature }) => feature)).toEqual(['checkout'])
    })

    it('rejects a revert, and the review of the applied change request lists it', async () => {
      const fixture = open()
      await fixture.approved()
      await fixture.to('ben', 'Applied')
      fixture.validator.says = throwing('ConflictError', { details: [wrong] }, 'propose')
      expect(codesOf(await fixture.read(), 'revert')).toEqual(['invalid: not on a Friday'])
      const details = [{ message: 'not on a Friday', code: 'invalid' }]
      const refused = await rejection(revert(fixture.services, { ...by('ann'), ...here }, false))
      expect(refused).toMatchObject({ name: 'BadDataError', details })
    })
  })

  describe('when applying would add a default strategy', () => {
    const withoutStrategies = () => {
      const flags = new HostFlags()
      flags.strategies = []
      return flags
    }

    it('gets it as well, after the changes and without an id', async () => {
      const world = open({ flags: withoutStrategies() })
      await world.approved()
      world.validated.length = 0
      await world.to('ben', 'Applied')
      const parameters = { rollout: '100', stickiness: 'default', groupId: 'checkout' }
      expect(world.validated.map(({ changes }) => changes)).toEqual([
        [
          { id: 1, ...enable() },
          { id: null, action: 'addStrategy', feature: 'checkout', payload: expect.objectContaining({ parameters }) },
        ],
      ])
    })

    it('rejects the apply because of it, and the review lists that', async () => {
      const world = open({ flags: withoutStrategies() })
      await world.approved()
      world.validator.says = ({ when }) => (when === 'apply' ? [{ path: '/body/1/payload', message: 'too wide' }] : [])
      const message = 'Adding “Gradual rollout” to checkout, an implied change: too wide'
      expect(codesOf(await world.read(), 'apply')).toEqual([`invalid: ${message}`])
      const details = [{ message, code: 'invalid' }]
      expect(await rejection(world.to('ben', 'Applied'))).toMatchObject({ name: 'BadDataError', details })
    })
  })

  it('runs after the checks for disabled change requests and unknown flags', async () => {
    const off = open({ changeRequestsEnabled: false })
    off.validator.says = invalidAt('propose')
    expect((await rejection(off.propose('ann'))).details[0]?.code).toBe('change-requests-disabled')
    const unknown = open({ directory: { knownFeatures: () => [] } })
    expect((await rejection(unknown.propose('ann'))).name).toBe('NotFoundError')
    expect(unknown.validated).toEqual([])
  })
})
