import { Agent } from 'node:https'
import { type WebhooksOptions, webhooks } from '../../src/webhooks/index'
import { secret } from './support/driver'

const good = {
  name: 'audit',
  url: 'https://audit.example.com/hook',
  secrets: [secret],
  types: ['change-request-applied'],
}
const bytes = (count: number) => `whsec_${Buffer.alloc(count, 1).toString('base64')}`

const create = (target: object, options: object = {}) =>
  webhooks({ targets: [{ ...good, ...target }], ...options } as unknown as WebhooksOptions)

describe('the options of webhooks()', () => {
  it.each([
    ['url', { url: undefined }],
    ['url', { url: 'audit.example.com' }],
    ['url', { url: 'http://audit.example.com/hook' }],
    ['url', { url: 'http://127.0.0.1.evil.example/hook' }],
    ['url', { url: 'http://localhost.evil.example/hook' }],
    ['url', { url: 'http://128.0.0.1/hook' }],
    ['url', { url: 'https://user:s3cret@audit.example.com/hook' }],
    ['url', { url: 'ftp://audit.example.com/hook' }],
    ['secrets', { secrets: [] }],
    ['secrets', { secrets: undefined }],
    ['secrets', { secrets: [], format: 'cloudevents' }],
    ['secrets', { secrets: ['s3cret'], format: 'slack' }],
    ['url', { url: 'http://hooks.example/hook', format: 'teams' }],
    ['types', { types: [], format: 'slack' }],
    ['body', { body: () => 1, format: 'teams' }],
    ['secrets', { secrets: secret }],
    ['secrets', { secrets: ['s3cret'] }],
    ['secrets', { secrets: [bytes(23)] }],
    ['secrets', { secrets: [bytes(65)] }],
    ['secrets', { secrets: [secret, `${secret}!`] }],
    ['types', { types: undefined }],
    ['types', { types: [] }],
    ['types', { types: ['change-request-aplied'] }],
    ['projects', { projects: [] }],
    ['environments', { environments: 'production' }],
    ['features', { features: [7] }],
    ['headers', { headers: ['Authorization'] }],
    ['headers', { headers: { Authorization: 's3cret\r\nHost: evil' } }],
    ['headers', { headers: { 'in valid': 's3cret' } }],
    ['headers', { headers: { Authorization: 7 } }],
    ...[
      'Host',
      'content-type',
      'Content-Length',
      'Transfer-Encoding',
      'connection',
      'Webhook-Id',
      'webhook-signature',
    ].map((name) => ['headers', { headers: { [name]: 's3cret' } }] as const),
    ['format', { format: 'xml' }],
    ['body', { body: {} }],
    ['body', { body: () => 1, format: 'standard' }],
    ['stopAfterMs', { stopAfterMs: 0 }],
    ['agent', { agent: {} }],
    ['signature', { signature: true }],
  ] as const)(
    'reject an invalid %s with a TypeError that names target and property, and no value',
    (property, target) => {
      let error: unknown
      try {
        create(target)
      } catch (thrown) {
        error = thrown
      }
      expect(error).toBeInstanceOf(TypeError)
      const { message } = error as Error
      expect(message).toContain('target "audit"')
      expect(message).toContain(`"${property}"`)
      for (const value of ['s3cret', 'example', secret]) expect(message).not.toContain(value)
    },
  )

  it.each([
    ['targets', { targets: {} }],
    ['apiUrl', { apiUrl: 'flags.example' }],
    ['apiUrl', { apiUrl: 'https://user:s3cret@flags.example' }],
    ['api', { api: 'https://flags.example' }],
  ])('reject an invalid %s', (option, options) => {
    expect(() => create({}, options)).toThrow(`option "${option}"`)
  })

  it.each([[{ name: 'Audit' }], [{ name: '' }]])('reject the name of a target in %p', (target) => {
    expect(() => create(target)).toThrow('"targets[0].name"')
  })

  it('reject two targets with one name', () => {
    expect(() => webhooks({ targets: [good, good] as never })).toThrow('"targets[1].name"')
  })

  it('accept addresses, secrets, filters and an agent, and give each target a consumer', () => {
    const urls = ['http://127.8.9.1:8080/a', 'http://[::1]/a', 'http://localhost:3000', 'https://10.0.0.1/a']
    for (const url of urls) expect(create({ url })).toHaveLength(1)
    const filter = {
      types: ['change-request-applied'],
      projects: ['shop'],
      environments: ['production'],
      features: ['a'],
    }
    const [consumer] = create({ ...filter, secrets: [bytes(24), bytes(64)], agent: new Agent(), stopAfterMs: 1 })
    expect(consumer).toMatchObject({ name: 'audit', filter })
    expect(create({ types: '*' })[0]?.filter).toEqual({})
  })

  it.each(['slack', 'teams'])('need no secrets and no types for %s', (format) => {
    const { name, url } = good
    const [consumer] = webhooks({ targets: [{ name, url, format } as never] })
    expect(consumer?.filter?.types).toEqual([
      'change-request-sent-to-review',
      'change-request-approved',
      'change-request-rejected',
      'change-request-applied',
      'change-request-schedule-suspended',
      'change-request-scheduled-application-failure',
    ])
    expect(create({ format, secrets: [], types: '*' })[0]?.filter).toEqual({})
  })
})
