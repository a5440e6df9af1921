import { withSortedKeys } from '../../src/kernel/digest'
import { createWarnOnce } from '../../src/kernel/host-services'
import { createFixture } from './support/fixture'

describe('services', () => {
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
