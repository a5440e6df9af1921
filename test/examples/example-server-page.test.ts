import { join } from 'node:path'
import { startServer, stopAll } from '../package/support/child'
import { removeFolders, root, temporaryFolder } from '../package/support/folders'

const path = '/api/admin/projects/default/environments/production/change-requests'
let url = ''
let printed = ''

beforeAll(async () => {
  const env = { DATABASE_URL: ':memory:' }
  const server = await startServer([join(root, 'examples/server/server.js')], { cwd: temporaryFolder(), env })
  url = server.url
  printed = server.stdout()
})

afterAll(async () => {
  await stopAll()
  removeFolders()
})

/** Follows the link of a demo user, as printed. */
const follow = (name: string, more = '') => {
  const link = new RegExp(`http:\\S+/as/${name}\\?code=\\S+`).exec(printed)?.[0] ?? ''
  return fetch(link + more, { redirect: 'manual' })
}

async function cookieOf(name: string): Promise<string> {
  return (await follow(name)).headers.get('set-cookie')?.split(';')[0] ?? ''
}

function propose(headers: Record<string, string>): Promise<Response> {
  const body = JSON.stringify({ action: 'updateEnabled', feature: 'checkout', payload: { enabled: true } })
  return fetch(url + path, { method: 'POST', headers: { 'Content-Type': 'application/json', ...headers }, body })
}

describe('the pages of examples/server', () => {
  it('are the review page and the flags, with a link for each demo user', async () => {
    for (const name of ['ann', 'ben', 'cara', 'dan']) {
      const signedIn = await follow(name)
      expect([signedIn.status, signedIn.headers.get('location')]).toEqual([302, '/review/'])
      const me = await fetch(`${url}/api/admin/me`, { headers: { Cookie: await cookieOf(name) } })
      expect(await me.json()).toMatchObject({ username: `${name}@example.com` })
    }
    for (const page of ['/review', '/review/log', '/flags/']) {
      expect((await fetch(url + page)).headers.get('content-type')).toBe('text/html; charset=utf-8')
    }
  })

  it.each(['/review/log?type=change-added', '/.//evil'])(
    'redirect to %s of this server after the sign-in',
    async (value) => {
      const signedIn = await follow('ann', `&returnTo=${encodeURIComponent(value)}`)
      expect(signedIn.headers.get('location')).toBe(new URL(value, url).href)
    },
  )

  it.each(['//evil', '/\\evil', '/\t/evil', 'https://evil.example/review/', 'javascript:alert(1)', 'http://['])(
    'never redirect to another server: %j',
    async (value) => {
      const signedIn = await follow('ann', `&returnTo=${encodeURIComponent(value)}`)
      expect(signedIn.headers.get('location')).toBe('/review/')
    },
  )

  it('sign in by a cookie that no script and no other site can use', async () => {
    expect((await follow('ann')).headers.get('set-cookie')).toMatch(/; Path=\/; HttpOnly; SameSite=Strict$/)
  })

  it('sign nobody in without the code of the link', async () => {
    for (const query of ['', '?code=', '?code=x', '?code=a&code=b']) {
      const refused = await fetch(`${url}/as/cara${query}`, { redirect: 'manual' })
      expect([refused.status, refused.headers.get('set-cookie')]).toEqual([404, null])
    }
    expect((await fetch(`${url}/api/admin/me`, { headers: { Cookie: 'example-session=x' } })).status).toBe(401)
  })

  it('propose with the cookie from the own site alone', async () => {
    const Cookie = await cookieOf('ann')
    const elsewhere = [
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site', Origin: url },
      { Origin: 'http://evil.example' },
      { Origin: 'null' },
    ]
    for (const headers of elsewhere) {
      expect([headers, (await propose({ Cookie, ...headers })).status]).toEqual([headers, 403])
    }
    expect((await propose({ Cookie, 'Sec-Fetch-Site': 'same-origin' })).status).toBe(200)
    expect((await propose({ Cookie, Origin: url })).status).toBe(200)
  })
})
