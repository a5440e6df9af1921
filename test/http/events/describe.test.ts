import { createClient } from '../../../src/client/index'
import type { ReviewListItemView } from '../../../src/generated/index'
import { type ConsumerContext, memoryStorage } from '../../../src/index'
import { HostFlags } from '../../kernel/support/flags'
import { enable, people, startApp, type TestApp } from '../../support/app'

describe('describe(project, id) of a consumer', () => {
  const flags = new HostFlags()
  const authorized: (number | null)[] = []
  let app: TestApp
  let describeOf: ConsumerContext['describe']

  beforeAll(async () => {
    app = await startApp({
      storage: memoryStorage(),
      flags,
      pageUrl: 'https://flags.example/review',
      authorize: ({ id }) => authorized.push(id) > 0,
    })
    const context = new Promise<ConsumerContext>((resolve) => {
      app.router.events.consume({ name: 'chat', from: 'beginning', handle: (_, context) => resolve(context) })
    })
    app.router.start()
    await app.propose(enable(), { key: people.ben.key }).expect(200)
    describeOf = (await context).describe
  })
  afterAll(() => app.close())

  const as = ({ key }: { readonly key: string }) => createClient({ api: `http://127.0.0.1:${app.port}/api/admin`, key })

  it('returns null for a draft, another project and an unknown id', async () => {
    expect(await describeOf('shop', 1)).toBe(null)
    for (const id of [2, 1.5, Number.NaN, Number.MAX_SAFE_INTEGER + 1]) expect(await describeOf('shop', id)).toBe(null)
    await as(people.ben).setState({ project: 'shop', id: 1 }, { state: 'In review' })
    expect(await describeOf('blog', 1)).toBe(null)
  })

  it('returns the row of the inbox that a caller without permissions would get', async () => {
    const [shown] = (await as(people.ann).reviews({ needs: 'me' })).body.reviews
    const { because, ...row } = shown as ReviewListItemView
    expect(because).toEqual(['review'])
    expect(await describeOf('shop', 1)).toEqual({ ...row, because: [] })
    expect(row).toMatchObject({
      url: 'https://flags.example/review/projects/shop/change-requests/1',
      effects: [{ name: 'checkout', changes: [{ action: 'updateEnabled' }] }],
    })
    expect(authorized).not.toContain(null)
  })

  it('returns null for effects, conflict and overwrites while the gateway fails', async () => {
    flags.instead = async () => {
      throw new Error('The flags cannot be read.')
    }
    expect(await describeOf('shop', 1)).toMatchObject({ id: 1, effects: null, conflict: null, overwrites: null })
    flags.instead = null
  })
})
