import { sameOrigin } from '../../src'

const host = 'flags.example'

describe('sameOrigin(req)', () => {
  it.each([
    ['GET', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }, true],
    ['HEAD', { 'sec-fetch-site': 'cross-site' }, true],
    ['OPTIONS', { origin: 'null' }, true],
    ['POST', {}, true],
    ['POST', { 'sec-fetch-site': 'same-origin' }, true],
    ['POST', { 'sec-fetch-site': 'none' }, true],
    ['POST', { 'sec-fetch-site': 'same-site' }, false],
    ['PUT', { 'sec-fetch-site': 'cross-site' }, false],
    ['DELETE', { 'sec-fetch-site': '' }, false],
    ['POST', { 'sec-fetch-site': 'same-origin', origin: 'https://evil.example' }, true],
    ['POST', { 'sec-fetch-site': 'cross-site', origin: 'https://flags.example' }, false],
    ['PUT', { origin: 'https://flags.example' }, true],
    ['PUT', { origin: 'http://flags.example' }, true],
    ['PUT', { origin: 'https://evil.example' }, false],
    ['PUT', { origin: 'https://flags.example.evil.example' }, false],
    ['PUT', { origin: 'https://flags.example:8443' }, false],
    ['PUT', { origin: 'https://flags.example', host: 'FLAGS.example:443' }, true],
    ['PUT', { origin: 'http://127.0.0.1:4242', host: '127.0.0.1:4242' }, true],
    ['PUT', { origin: 'null' }, false],
    ['PUT', { origin: '' }, false],
    ['PUT', { origin: 'file://' }, false],
    ['PUT', { origin: 'file://', host: '' }, false],
  ])('%s with %j: %s', (method, headers, expected) => {
    expect(sameOrigin({ method, headers: { host, ...headers } })).toBe(expected)
  })

  it('accepts the hosts behind a proxy', () => {
    const req = { method: 'POST', headers: { host: '10.0.0.7:3000', origin: 'https://flags.example' } }
    expect(sameOrigin(req)).toBe(false)
    expect(sameOrigin(req, { hosts: ['admin.example', 'flags.example'] })).toBe(true)
    expect(sameOrigin(req, { hosts: ['admin.example', 'flags.example:8443'] })).toBe(false)
  })

  it('rejects unknown options', () => {
    expect(() => sameOrigin({ method: 'GET', headers: {} }, { host } as never)).toThrow(TypeError)
  })
})
