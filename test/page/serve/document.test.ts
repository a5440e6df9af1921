import express, { type Express } from 'express'
import request from 'supertest'
import { type ReviewPageOptions, reviewPage } from '../../../src/page'
import { pageRoot } from '../../../src/page/serve/document'

const options: ReviewPageOptions = { api: '/api/admin', signIn: 'host' }

function mounted(path: string, given: Partial<ReviewPageOptions> = {}): Express {
  return express().use(path, reviewPage({ ...options, ...given }))
}

interface Loaded {
  readonly config: { api: string; base: string; signInUrl: string | null; title: string }
  readonly script: string
  readonly html: string
}

/** What a browser makes of the document: its addresses as those of the origin. */
async function load(app: Express, address: string, seenAs = address): Promise<Loaded> {
  const { text: html } = await request(app).get(address).expect(200)
  const path = (relative: string) => new URL(relative, `http://host.example${seenAs}`).pathname
  const config = JSON.parse(/id="config">(.*)<\/script>/.exec(html)?.[1] ?? '')
  const script = path(/<script type="module" src="([^"]*)"/.exec(html)?.[1] ?? '')
  return { config: { ...config, api: path(config.api), base: path(config.base) }, script, html }
}

describe('the document of the page', () => {
  it.each([
    ['/', '/', '/'],
    ['/', '/projects/shop/change-requests/42', '/'],
    ['/review', '/review', '/review/'],
    ['/review', '/review?needs=me', '/review/'],
    ['/review', '/review/', '/review/'],
    ['/review', '/review/log', '/review/'],
    ['/review', '/review/log/?type=a/b', '/review/'],
    ['/review', '/review/projects/a%2Fb/change-requests/42', '/review/'],
    ['/tools/flags/review', '/tools/flags/review', '/tools/flags/review/'],
    ['/tools/flags/review', '/tools/flags/review/settings', '/tools/flags/review/'],
  ])('mounted at %s has at %s the base %s, and loads its script from there', async (mount, address, base) => {
    const app = mounted(mount)
    const { config, script } = await load(app, address)
    expect(config).toMatchObject({ base, api: '/api/admin' })
    expect(script).toMatch(new RegExp(`^${base}assets/`))
    await request(app)
      .get(script)
      .expect(200)
      .expect('Content-Type', /javascript/)
  })

  it.each(['/review', '/review/', '/review/log'])('finds its base at %s in nested routers', async (address) => {
    const inner = express.Router().use('/review', reviewPage(options))
    const { config } = await load(express().use('/:tenant', inner), `/blue${address}`)
    expect(config.base).toBe('/blue/review/')
  })

  it('finds its base and a relative API behind a proxy that adds a prefix', async () => {
    const app = mounted('/review', { api: 'api/admin' })
    const { config } = await load(
      app,
      '/review/projects/shop/change-requests/42',
      '/t/review/projects/shop/change-requests/42',
    )
    expect(config).toMatchObject({ base: '/t/review/', api: '/t/api/admin' })
  })

  it('finds a relative API next to itself, at every URL', async () => {
    const app = mounted('/review', { api: 'api/admin' })
    for (const address of ['/review', '/review/', '/review/log']) {
      expect((await load(app, address)).config.api).toBe('/api/admin')
    }
  })

  it('is found behind a proxy that removes the whole prefix', () => {
    const seen = { originalUrl: '/log', baseUrl: '', url: '/log' }
    expect(new URL(pageRoot(seen), 'http://host.example/tools/review/log').pathname).toBe('/tools/review/')
  })

  it('has the title and the addresses of the options as text', async () => {
    const title = `</script><script>alert("1")</script> & 'co'`
    const { config, html } = await load(
      mounted('/review', { title, stylesheet: '/a".css', signInUrl: 'https://id.example/?a=1&b' }),
      '/review',
    )
    expect(config).toMatchObject({ title, signInUrl: 'https://id.example/?a=1&b' })
    expect(html.match(/<script/g)).toHaveLength(2)
    expect(html).toContain(
      '<title>&lt;/script&gt;&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;co&#39;</title>',
    )
    expect(html).toContain('<link rel="stylesheet" href="/a&quot;.css">')
  })

  it.each([
    [undefined, "'none'"],
    ['none', "'none'"],
    ['self', "'self'"],
  ] as const)(
    'allows only its own files and its own origin, with frameAncestors %s',
    async (frameAncestors, framedBy) => {
      const app = mounted('/review', frameAncestors && { frameAncestors })
      const { headers } = await request(app).get('/review/log')
      const policy = String(headers['content-security-policy']).split('; ')
      expect(policy).toEqual([
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "font-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        `frame-ancestors ${framedBy}`,
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
      ])
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'same-origin',
        'cross-origin-opener-policy': 'same-origin',
      })
    },
  )

  it('is revalidated each time, and sent again only if it changed', async () => {
    const app = mounted('/review')
    const { headers } = await request(app).get('/review/').expect('Cache-Control', 'no-cache')
    const tag = String(headers.etag)
    const again = await request(app).get('/review/').set('If-None-Match', tag).expect(304)
    expect(again.text).toBe('')
    for (const changed of [{ title: 'Other' }, { frameAncestors: 'self' }] as const) {
      await request(mounted('/review', changed)).get('/review/').set('If-None-Match', tag).expect(200)
    }
  })

  it('has the same headers and no body for HEAD', async () => {
    const app = mounted('/review')
    const { headers } = await request(app).get('/review/log')
    const { headers: alone, text } = await request(app).head('/review/log').expect(200)
    expect([alone.etag, alone['content-length']]).toEqual([headers.etag, headers['content-length']])
    expect(text ?? '').toBe('')
  })

  it.each(['post', 'put', 'delete', 'options'] as const)('leaves %s to the host', async (method) => {
    const app = mounted('/review').use((_req, res) => res.status(418).end())
    await request(app)[method]('/review/').expect(418)
  })
})
