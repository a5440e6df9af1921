import { useBrowser } from '../support/browser'
import { type PageHost, startHost } from '../support/host'
import { enable } from '../support/showcase'
import { expectText } from '../support/waits'

const browser = useBrowser()
let host: PageHost

beforeAll(async () => {
  host = await startHost()
})
afterAll(() => host.close())

it('marks what a machine did, with the person for whom it did that, and nothing of people', async () => {
  const id = await host.inReview(enable('new-search'), 'Nightly rollout', 'bot')
  await host.comment('bot', id, 'The tests are green.')
  await host.comment('ben', id, 'Thank you.')
  const page = await browser.visit(host.as('ben'))
  const row = page.getByRole('listitem').filter({ hasText: 'Nightly rollout' })
  await expectText(row, /Service on behalf of Ann Lee/)
  await page.getByRole('link', { name: 'Nightly rollout' }).click()
  await expectText(page.locator('.byline'), /by Deploy Bot\s*Service on behalf of Ann Lee/)
  const activity = page.getByRole('region', { name: 'Activity' })
  await expectText(
    activity.getByRole('article').filter({ hasText: 'green' }),
    /Deploy Bot\s*Service on behalf of Ann Lee/,
  )
  await expectText(activity.getByRole('article').filter({ hasText: 'Thank you' }), /^(?!.*Service)/s)
  await expectText(activity, /Deploy Bot\s*Service on behalf of Ann Lee requested a review/)
})

it('shows why the person behind a machine cannot approve', async () => {
  const [{ id }] = await host
    .call<{ reviews: [{ id: number }] }>('ann', 'GET', '/reviews?needs=mine')
    .then(({ reviews }) => reviews)
  const page = await browser.visit(host.as('ann', `/projects/default/change-requests/${id}`))
  await expectText(page.getByRole('main'), /You can't approve a change request that you created or edited\./)
})
