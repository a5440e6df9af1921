import { parseChanges } from '../../../src/capabilities/proposals/changes-body'
import { validatorOfAction } from '../../../src/validation/core/registry'
import { counted } from '../../support/cost'
import { rejection } from '../../validation/rejection'

const limits = { changesPerRequest: 100 }
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
})
