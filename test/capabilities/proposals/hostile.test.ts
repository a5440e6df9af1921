import fc from 'fast-check'
import { parseChanges } from '../../../src/capabilities/proposals/changes-body'
import { ChangeRequestError } from '../../../src/errors'
import { guardBody } from '../../../src/validation/core/guard'
import { changeSchemas, validatorOfAction } from '../../../src/validation/core/registry'
import { counted, growth, linear } from '../../support/cost'
import { random } from '../../support/random'
import { rejection } from '../../validation/rejection'

const limits = { changesPerRequest: 100 }
const guardLimits = { depth: 32, nodes: 20_000 }
const enable = { action: 'updateEnabled', feature: 'checkout', payload: { enabled: true } }

const details = (body: unknown) => rejection(() => parseChanges(body, limits)).details

describe('a hostile body', () => {
  it('is quoted in errors with at most 100 characters of each value and name', () => {
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

  it('is never cut inside a character', () => {
    const [name] = details({ ...enable, payload: { enabled: `x${'🙂'.repeat(1000)}` } })
    expect(name?.message).not.toMatch(/\p{Surrogate}/u)
  })

  it('with an error in each value takes as long for 30,000 values as for 30', () => {
    const readsOf = (length: number) => {
      const constraints = [{ contextName: 'userId', operator: 'IN', values: Array(length).fill(1) }]
      const payload = { name: 'default', parameters: {}, constraints }
      const { value, reads } = counted({ action: 'addStrategy', feature: 'a', payload })
      expect(details(value)).toHaveLength(1)
      return reads()
    }
    expect(readsOf(30_000)).toBe(readsOf(30))
  })

  it('is validated up to its first error', () => {
    const validate = validatorOfAction('reorderStrategy')
    validate?.({ action: 'reorderStrategy', feature: '', payload: [1, 2, 3] })
    expect(validate?.errors).toHaveLength(1)
  })

  it('with 10,000 objects costs in proportion to their number', () => {
    const parse = (length: number) => {
      const payload = Array.from({ length }, () => ({ id: 'a', sortOrder: 1 }))
      return () => parseChanges({ action: 'reorderStrategy', feature: 'a', payload }, limits)
    }
    expect(growth(parse, 10_000 / 8)).toBeLessThan(linear)
  })

  it('is always rejected with one of our errors', () => {
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
      random(200),
    )
  })
})
