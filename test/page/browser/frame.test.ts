import { useBrowser } from '../support/browser'
import { type PageHost, startHost } from '../support/host'
import { until } from '../support/waits'

const browser = useBrowser()
const values = ['none', 'self'] as const
const hosts = new Map<string, PageHost>()

beforeAll(async () => {
  for (const frameAncestors of values) hosts.set(frameAncestors, await startHost({ frameAncestors }))
})
afterAll(() => Promise.all([...hosts.values()].map((host) => host.close())))

/** The frame with the page of a host, in a document of a host; undefined if the browser refused it. */
async function framed(value: string, around: string) {
  const [host, parent] = [hosts.get(value), hosts.get(around)] as [PageHost, PageHost]
  const url = `${new URL(parent.url()).origin}/framed?${new URLSearchParams({ url: host.url('/') })}`
  const page = await browser.visit({
    ...host.as('ben'),
    url,
    expected: /^left the origin: |^console: .*frame-ancestors/,
  })
  return page.frames()[1]
}

describe('a frame around the page', () => {
  it('on the same origin works with frameAncestors: "self"', async () => {
    const frame = await framed('self', 'self')
    await frame?.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor()
    await frame?.getByRole('link', { name: 'Log' }).click()
    await frame?.getByRole('heading', { level: 1, name: 'Log' }).waitFor()
  })

  it.each([
    ['the same origin', 'none', 'none'],
    ['another origin', 'none', 'self'],
    ['another origin', 'self', 'none'],
  ])('on %s is refused with frameAncestors: "%s"', async (_, value, around) => {
    const frame = await framed(value, around)
    await until(() => frame?.url() === 'chrome-error://chromewebdata/', 'the browser refuses the frame')
  })
})
