import fc from 'fast-check'
import { ChangeRequestError } from '../../src/errors'
import { changeSchemas } from '../../src/validation/change-schemas'
import { guardBody } from '../../src/validation/guard'
import { parseChanges } from '../../src/validation/parse'
import { validatorOfAction } from '../../src/validation/registry'
import { refusal } from './refusal'

const limits = { changesPerRequest: 100 }
const guardLimits = { depth: 32, nodes: 20_000 }
const enable = { action: 'updateEnabled', feature: 'checkout', payload: { enabled: true } }

const details = (body: unknown) => refusal(() => parseChanges(body, limits)).details

describe('a hostile body', () => {
  it('gets back at most 100 characters of each value and name', () => {
    const long = 'x'.repeat(50_000)
    const [unknown] = details({ ...enable, action: long })
    expect(unknown?.message.length).toBeLessThan(1000)
    const [name] = details({ ...enable, feature: long })
    expect(name?.message).toBe(`must have at most 100 characters, got "${'x'.repeat(98)}…`)
    const closed = { action: 'addReleasePlan', feature: 'a', payload: { templateId: 't', [long]: 1 } }
    const [extra] = details(closed)
    expect(extra?.path).toBe(`/body/payload/${'x'.repeat(99)}…`)
    const parameters = {
      action: 'addStrategy',
      feature: 'a',
      payload: { name: 'a', constraints: [], parameters: { [long]: 1 } },
    }
    expect(JSON.stringify(details(parameters)).length).toBeLessThan(500)
  })

  it('never has a character cut in half', () => {
    const [name] = details({ ...enable, payload: { enabled: `x${'🙂'.repeat(1000)}` } })
    expect(name?.message).not.toMatch(/\p{Surrogate}/u)
  })

  it('of 150 kB with a mistake in each value costs little', () => {
    const values = Array(30_000).fill(1)
    const constraints = [{ contextName: 'userId', operator: 'IN', values }]
    const change = { action: 'addStrategy', feature: 'a', payload: { name: 'default', parameters: {}, constraints } }
    parseChanges(enable, limits)
    const start = performance.now()
    expect(details(change)).toHaveLength(1)
    expect(performance.now() - start).toBeLessThan(500)
  })

  it('is looked at up to its first mistake', () => {
    const validate = validatorOfAction('reorderStrategy')
    validate?.({ action: 'reorderStrategy', feature: '', payload: [1, 2, 3] })
    expect(validate?.errors).toHaveLength(1)
  })

  it('of 109 kB with 10,000 objects costs less than 50 ms', () => {
    const payload = Array.from({ length: 10_000 }, () => ({ id: 'a', sortOrder: 1 }))
    const change = { action: 'reorderStrategy', feature: 'a', payload }
    parseChanges(change, limits)
    const start = performance.now()
    parseChanges(change, limits)
    expect(performance.now() - start).toBeLessThan(50)
  })

  it('is never answered with anything but a refusal of ours', () => {
    const action = fc.oneof(fc.constantFrom(...changeSchemas.keys()), fc.jsonValue())
    const feature = fc.oneof(fc.constant('checkout'), fc.jsonValue())
    const payload = fc.oneof(
      fc.jsonValue(),
      fc.record({ id: fc.jsonValue(), name: fc.jsonValue(), constraints: fc.jsonValue() }),
    )
    const change = fc.record({ action, feature, payload }, { requiredKeys: [] })
    const body = fc.oneof(fc.jsonValue(), change, fc.array(change))
    fc.assert(
      fc.property(body, (sent) => {
        for (const run of [() => guardBody(sent, guardLimits), () => parseChanges(sent, limits)]) {
          try {
            run()
          } catch (error) {
            expect(ChangeRequestError.is(error)).toBe(true)
          }
        }
      }),
      { numRuns: 500 },
    )
  })
})
