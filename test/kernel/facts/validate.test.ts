import {
  type ApplicableChange,
  ChangeRequestError,
  type ChangeRequestErrorOptions,
  type ErrorDetail,
  type ErrorName,
  unleashRules,
  type Validate,
  type ValidationContext,
} from '../../../src'
import { editChange } from '../../../src/capabilities/proposals/edit-changes'
import { revert } from '../../../src/capabilities/revert/revert'
import { review } from '../../../src/capabilities/review/review'
import type { NewChange } from '../../../src/domain/change-request'
import { Gate, HostFlags, never } from '../support/flags'
import { actors, by, createWorld, enable, production, rejection, type Who, type WorldOptions } from '../support/world'

const here = { project: 'shop', id: 1 }

interface Asked extends ValidationContext {
  readonly changes: readonly object[]
}

/** A host app whose validator returns what the test sets, and records its calls. */
function open(options: WorldOptions = {}) {
  const asked: Asked[] = []
  const host = { says: (_context: ValidationContext): ReturnType<Validate> => [] }
  const validate: Validate = (changes, context) => {
    asked.push({ ...context, changes: structuredClone(changes) })
    return host.says(context)
  }
  const world = createWorld({ flags: new HostFlags(), validate, ...options })
  const edit = () => editChange(world.services, { ...by('ann'), ...here, changeId: 1, change: enable('search') })
  const read = () => review(world.services, { actor: actors.ann, ...here })
  return { ...world, validator: host, validated: asked, edit, read }
}

const wrong: ErrorDetail = { path: '/body/0/payload/enabled', message: 'not on a Friday' }
const invalidAt = (when: string) => (context: ValidationContext) => (context.when === when ? [wrong] : [])
const codesOf = ({ steps }: Awaited<ReturnType<typeof review>>, name: string) =>
  steps.find(({ step }) => step === name)?.missing.map(({ code, message }) => `${code}: ${message}`)

/** @see contract 4.4 */
describe('the option validate', () => {
  it('is called for proposals, on submit and on apply', async () => {
    const world = open()
    await world.propose('ann')
    await world.propose('ann', [enable('basket')])
    await world.edit()
    await world.to('ann', 'In review')
    await world.to('ben', 'Approved')
    await world.to('ben', 'Applied')
    const change = (feature: string, id: number | null = null) => ({ id, ...enable(feature) })
    const ann = { ...production, actor: actors.ann }
    const both = [change('basket', 2), change('search', 3)]
    expect(world.validated).toEqual([
      { when: 'propose', ...ann, changes: [change('checkout')] },
      { when: 'propose', ...ann, changes: [change('basket')] },
      { when: 'propose', ...ann, changes: [change('search')] },
      { when: 'submit', ...ann, changes: both },
      { when: 'apply', ...production, actor: actors.ben, changes: both },
    ])
  })

  it('rejects a proposal with its details, and nothing is stored', async () => {
    const world = open()
    world.validator.says = invalidAt('propose')
    const error = await rejection(world.propose('ann'))
    expect([error.name, error.message, error.details]).toEqual([
      'BadDataError',
      'The changes are invalid. See details for each problem.',
      [{ ...wrong, code: 'invalid' }],
    ])
    expect(await world.events()).toEqual([])
  })

  it('rejects an edit, whose body is a single change', async () => {
    const world = open()
    await world.propose('ann')
    world.validator.says = invalidAt('propose')
    const { name, details } = await rejection(world.edit())
    expect([name, details]).toEqual(['BadDataError', [{ ...wrong, path: '/body/payload/enabled', code: 'invalid' }]])
    expect((await world.stored())?.changes.map(({ feature }) => feature)).toEqual(['checkout'])
  })

  it('rejects submit and apply, naming the change', async () => {
    const world = open()
    await world.propose('ann')
    const details = [{ message: 'Change 1, payload/enabled: not on a Friday', code: 'invalid' }]
    world.validator.says = invalidAt('submit')
    expect(await rejection(world.to('ann', 'In review'))).toMatchObject({ name: 'BadDataError', details })
    world.validator.says = invalidAt('apply')
    await world.to('ann', 'In review')
    await world.to('ben', 'Approved')
    expect(await rejection(world.to('ben', 'Applied'))).toMatchObject({ name: 'BadDataError', details })
    expect(await rejection(world.to('ben', 'Scheduled'))).toMatchObject({ name: 'BadDataError', details })
    expect((await world.stored())?.state).toBe('Approved')
  })

  it('is called by the review, which lists the same as the error', async () => {
    const world = open()
    await world.propose('ann')
    world.validator.says = invalidAt('submit')
    const missing = ['invalid: Change 1, payload/enabled: not on a Friday']
    expect(codesOf(await world.read(), 'submit')).toEqual(missing)
    expect(codesOf(await world.read(), 'edit')).toEqual([])
    world.validator.says = invalidAt('apply')
    await world.to('ann', 'In review')
    await world.to('ben', 'Approved')
    expect(codesOf(await world.read(), 'apply')).toEqual(missing)
    world.validator.says = () => []
    expect(codesOf(await world.read(), 'apply')).toEqual([])
  })

  it('is not asked about what is closed', async () => {
    const world = open()
    await world.propose('ann')
    await world.to('ann', 'Cancelled')
    world.validated.length = 0
    await world.read()
    expect((await rejection(world.to('ann', 'In review'))).name).toBe('ConflictError')
    expect(world.validated).toEqual([])
  })

  it('is not called for a caller who lacks a permission', async () => {
    const world = open()
    await world.reviewed()
    await world.to('ben', 'Approved')
    world.validated.length = 0
    world.host.allows = (_, permission) => permission === 'READ_CHANGE_REQUEST'
    expect((await rejection(world.to('ben', 'Applied'))).name).toBe('PermissionError')
    expect((await rejection(world.edit())).name).toBe('PermissionError')
    expect(world.validated).toEqual([])
  })

  it('gets copies: what it does to them reaches nothing', async () => {
    const validate: Validate = (changes) => {
      for (const { payload } of changes as readonly { payload: { enabled?: boolean; more?: object } }[]) {
        payload.enabled = false
        payload.more = {}
      }
    }
    const flags = new HostFlags()
    const world = open({ flags, validate })
    const change = enable()
    await world.approved([change])
    await world.to('ben', 'Applied')
    expect(change.payload).toEqual({ enabled: true })
    expect((await world.stored())?.changes[0]?.payload).toEqual({ enabled: true })
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
  ])('that %s refuses every step that asks it', async (_, says, name) => {
    const world = open({ limits: { hookTimeoutMs: 5 } })
    await world.propose('ann')
    world.validator.says = says
    expect((await rejection(world.propose('ann'))).name).toBe(name)
    expect((await rejection(world.edit())).name).toBe(name)
    expect((await rejection(world.to('ann', 'In review'))).name).toBe(name)
    expect((await rejection(world.read())).name).toBe(name)
    expect((await world.stored())?.state).toBe('Draft')
  })

  describe('that rejects by throwing', () => {
    const refusals: readonly (readonly [ErrorName, ChangeRequestErrorOptions, string])[] = [
      ['ConflictError', {}, 'Wait for Monday.'],
      ['BadDataError', { details: [wrong] }, 'Change 1, payload/enabled: not on a Friday'],
      ['NotFoundError', { details: [{ message: 'no such plan', path: '/body/7' }] }, 'no such plan'],
      ['PermissionError', { permissions: ['CREATE_FLAG'] }, 'Wait for Monday.'],
    ]
    const throwing =
      (name: ErrorName, options: ChangeRequestErrorOptions, at: string) => (context: ValidationContext) => {
        if (context.when === at) throw new ChangeRequestError(name, 'Wait for Monday.', options)
        return []
      }

    it.each(refusals)('with a %s, rejects a step as if it had returned the details', async (name, options, message) => {
      const world = open({ schedule: 'elsewhere' })
      await world.propose('ann')
      const refusal = { name: 'BadDataError', details: [{ message, code: 'invalid' }] }
      world.validator.says = throwing(name, options, 'submit')
      expect(codesOf(await world.read(), 'submit')).toEqual([`invalid: ${message}`])
      expect(codesOf(await world.read(), 'edit')).toEqual([])
      expect(await rejection(world.to('ann', 'In review'))).toMatchObject(refusal)
      world.validator.says = throwing(name, options, 'apply')
      await world.to('ann', 'In review')
      await world.to('ben', 'Approved')
      for (const step of ['apply', 'schedule', 'applyInEmergency']) {
        expect(codesOf(await world.read(), step)).toContain(`invalid: ${message}`)
      }
      expect(await rejection(world.to('ben', 'Applied'))).toMatchObject(refusal)
      expect(await rejection(world.to('ben', 'Scheduled'))).toMatchObject(refusal)
      expect((await world.stored())?.state).toBe('Approved')
    })

    it('answers a proposal, and a change of one, with the error itself', async () => {
      const world = open()
      await world.propose('ann')
      const thrown = new ChangeRequestError('ConflictError', 'Wait for Monday.', { details: [wrong] })
      world.validator.says = () => Promise.reject(thrown)
      expect(await rejection(world.propose('ann'))).toBe(thrown)
      expect(await rejection(world.edit())).toBe(thrown)
      expect((await world.stored())?.changes.map(({ feature }) => feature)).toEqual(['checkout'])
    })

    it('comes after the caller and the revision, and before the state', async () => {
      const world = open()
      await world.reviewed()
      world.validator.says = throwing('NotFoundError', {}, 'propose')
      const edit = (who: Who, more: object = {}) =>
        editChange(world.services, { ...by(who), ...here, changeId: 1, change: enable('search'), ...more })
      expect((await rejection(edit('ben'))).name).toBe('OperationDeniedError')
      expect((await rejection(edit('ann', { ifMatch: '"1-1"' }))).name).toBe('PreconditionFailedError')
      await world.to('ann', 'Cancelled')
      expect((await rejection(edit('ann'))).name).toBe('NotFoundError')
    })

    it('rejects a revert, and the review of the applied change request lists it', async () => {
      const world = open()
      await world.approved()
      await world.to('ben', 'Applied')
      world.validator.says = throwing('ConflictError', { details: [wrong] }, 'propose')
      expect(codesOf(await world.read(), 'revert')).toEqual(['invalid: not on a Friday'])
      const details = [{ message: 'not on a Friday', code: 'invalid' }]
      const refused = await rejection(revert(world.services, { ...by('ann'), ...here }, false))
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
      const message = 'Implied change of checkout, payload: too wide'
      expect(codesOf(await world.read(), 'apply')).toEqual([`invalid: ${message}`])
      const details = [{ message, code: 'invalid' }]
      expect(await rejection(world.to('ben', 'Applied'))).toMatchObject({ name: 'BadDataError', details })
    })
  })

  describe('with unleashRules()', () => {
    const rollout = (text: string): NewChange => ({
      action: 'updateStrategy',
      feature: 'checkout',
      payload: { id: 's1', parameters: { rollout: text } },
    })
    const problem = (text: string) =>
      `payload/parameters/rollout: rollout must be the text of a whole number from 0 to 100, such as "25", got "${text}"`

    it('rejects at submit and at apply what was stored without a validator', async () => {
      const world = open()
      const rules = unleashRules()
      const check = (when: string) => {
        world.validator.says = (context) =>
          context.when === when ? rules(world.validated.at(-1)?.changes as readonly ApplicableChange[], context) : []
      }
      await world.propose('ann', [rollout('250')])
      const details = [{ message: `Change 1, ${problem('250')}`, code: 'invalid' }]
      check('submit')
      expect(await rejection(world.to('ann', 'In review'))).toMatchObject({ name: 'BadDataError', details })
      world.validator.says = () => []
      await world.to('ann', 'In review')
      await world.to('ben', 'Approved')
      check('apply')
      expect(codesOf(await world.read(), 'apply')).toEqual([`invalid: Change 1, ${problem('250')}`])
      expect(await rejection(world.to('ben', 'Applied'))).toMatchObject({ name: 'BadDataError', details })
      expect((await world.stored())?.state).toBe('Approved')
    })

    it('rejects the apply of a default strategy that reads wrong', async () => {
      const flags = new HostFlags()
      flags.instead = async ({ features }) => ({
        features: new Map(features.map((name) => [name, { archived: false, enabled: false, strategies: [] }])),
        segments: new Map(),
        defaultStrategy: { name: 'flexibleRollout', parameters: { rollout: '50%' } },
      })
      const world = open({ flags, validate: unleashRules() })
      await world.approved()
      const details = [{ message: `Implied change of checkout, ${problem('50%')}`, code: 'invalid' }]
      expect(await rejection(world.to('ben', 'Applied'))).toMatchObject({ name: 'BadDataError', details })
    })
  })

  it('that does not respond yet blocks no other request', async () => {
    const world = open()
    await world.propose('ann')
    const gate = new Gate()
    world.validator.says = async () => void (await gate.pass())
    const submitting = world.to('ann', 'In review')
    await gate.arrived
    world.validator.says = () => []
    await world.edit()
    gate.letGo()
    await submitting
    // What was submitted is what was validated last.
    expect(world.validated.at(-1)).toMatchObject({ when: 'submit', changes: [{ feature: 'search' }] })
    expect((await world.stored())?.state).toBe('In review')
  })

  it('comes after switched-off change requests and unknown flags', async () => {
    const off = open({ changeRequestsEnabled: false })
    off.validator.says = invalidAt('propose')
    expect((await rejection(off.propose('ann'))).details[0]?.code).toBe('change-requests-disabled')
    const unknown = open({ directory: { knownFeatures: () => [] } })
    expect((await rejection(unknown.propose('ann'))).name).toBe('NotFoundError')
    expect(unknown.validated).toEqual([])
  })
})
