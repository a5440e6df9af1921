import { useBrowser } from '../support/browser'
import { type PageHost, startHost } from '../support/host'
import { requestPath, requestScreen } from '../support/request-screen'
import { enable, roll } from '../support/showcase'
import { expectText, until } from '../support/waits'

const browser = useBrowser()
let host: PageHost

beforeEach(async () => {
  host = await startHost()
})
afterEach(() => host.close())

describe('a page that is being loaded', () => {
  it('shows its frame and loads the code of its screen before it knows the user, and nothing of another one', async () => {
    await host.inReview(enable('checkout'), 'The new checkout')
    const known = host.hold(/\/api\/admin\/me /)
    const page = await browser.visit(host.as('ben'))
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Log' }).waitFor()
    await expectText(page.getByRole('main'), /Loading/)
    await until(() => host.received(/\/inbox-[^/]*\.js /).length === 1, 'the code is requested')
    expect(await page.getByText('Ben Ode').count()).toBe(0)
    expect(host.received(/\/reviews/)).toEqual([])
    known()
    await page.getByRole('link', { name: 'The new checkout' }).waitFor()
    await expectText(page.getByRole('banner'), 'Ben Ode')
  })

  it.each([
    ['inbox', '', [/\/reviews\?needs=me/], 'More checkout'],
    ['request', requestPath(1), [/\/change-requests\/1\/review /, /\/change-requests\/1\/timeline /], 'More checkout'],
    ['log', '/log', [/\/search\/events\?limit=100 /], 'checkout'],
    [
      'settings',
      '/settings?project=default',
      [/\/reviews\?needs=all/, /default\/change-requests\/config /],
      'production',
    ],
  ])('requests the data of its screen once, and before its code is there: %s', async (name, path, requests, text) => {
    await host.inReview(roll('checkout', 'checkout-half', '75'), 'More checkout')
    const code = host.hold(new RegExp(`/${name}-[^/]*\\.js `))
    const page = await browser.visit(host.as('ben', path))
    const counts = () => requests.map((request) => host.received(request).length)
    await until(() => counts().every((count) => count === 1), 'the data is requested')
    await expectText(page.getByRole('main'), /^Loading/)
    code()
    await expectText(page.getByRole('main'), text)
    await expectText(page.getByRole('banner'), 'Live')
    expect(counts()).toEqual(requests.map(() => 1))
  })

  it('shows what happened while its code was loaded', async () => {
    await host.inReview(roll('checkout', 'checkout-half', '75'), 'More checkout')
    const code = host.hold(/\/request-[^/]*\.js /)
    const page = await browser.visit(host.as('ben', requestPath(1)))
    await until(() => host.received(/\/1\/review /).length === 1, 'the review is requested')
    await expectText(page.getByRole('banner'), 'Live')
    const log = await page.context().newPage()
    await log.goto(host.url('/log'))
    await log.getByRole('region', { name: 'Events', exact: true }).waitFor()
    await host.setState('dan', 1, 'Approved')
    await expectText(log.getByRole('region', { name: 'Events', exact: true }), /approv/)
    code()
    await expectText(requestScreen(page).state, /Approved/)
  })
})
