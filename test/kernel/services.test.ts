import { withSortedKeys } from '../../src/kernel/digest'
import { changeLimitsOf, commentLimitsOf, createWarnOnce, now } from '../../src/kernel/host-services'
import { createFixture, noon } from './support/fixture'

describe('services', () => {
  it('know the limits of comments and of changes', () => {
    const { limits } = createFixture().services.options
    expect(commentLimitsOf(limits)).toEqual({
      comments: 1_000,
      bytes: 768 * 1024,
      bytesWithSteps: 1024 * 1024,
    })
    expect(changeLimitsOf(limits)).toEqual({ changes: 500, bytes: 1024 * 1024, targetsBytes: 8 * 1024 * 1024 })
  })

  it('write the time of the host app as ISO 8601 in UTC', () => {
    expect(now(createFixture().services)).toBe(noon)
  })

  it('warn once per hook', () => {
    const { services, lines } = createFixture()
    const warn = createWarnOnce(services.logger)
    warn('authorize', 'first')
    warn('authorize', 'second')
    warn('users.find', 'third')
    expect(lines).toEqual([
      { level: 'warn', facts: { hook: 'authorize' }, text: 'first' },
      { level: 'warn', facts: { hook: 'users.find' }, text: 'third' },
    ])
  })
})

describe('withSortedKeys', () => {
  it('sorts the keys of objects at every depth, and keeps the order of lists', () => {
    const value = { b: [{ d: 1, c: 2 }, 'x'], a: null, e: { g: true, f: 0 } }
    expect(JSON.stringify(withSortedKeys(value))).toBe('{"a":null,"b":[{"c":2,"d":1},"x"],"e":{"f":0,"g":true}}')
  })

  it('treats names of inherited properties like any other key', () => {
    const value = JSON.parse('{"b":1,"__proto__":2,"a":3}')
    expect(JSON.stringify(withSortedKeys(value))).toBe('{"__proto__":2,"a":3,"b":1}')
  })
})
