import { join } from 'node:path'
import { useBrowser } from '../support/browser'
import { type Showcase, startShowcase } from '../support/showcase'

const { visit } = useBrowser()
const folder = join(__dirname, '../../../docs/pictures')

/** `npm run pictures` takes them again; no test compares them. */
describe('the pictures of the README', () => {
  let showcase: Showcase
  beforeAll(async () => {
    showcase = await startShowcase()
  })
  afterAll(() => showcase.host.close())

  it.each<[name: string, path: () => string, height: number]>([
    ['inbox', () => '/', 660],
    ['request', () => `/projects/default/change-requests/${showcase.review}`, 900],
  ])('show the screen %s', async (name, path, height) => {
    const page = await visit({ ...showcase.host.as('dan', path()), viewport: { width: 1280, height } })
    await page.getByText('Cards for many').first().waitFor()
    await page.getByText('Live', { exact: true }).waitFor()
    await page.screenshot({ path: join(folder, `${name}.png`) })
  })

  it('show a flag that is edited', async () => {
    const path = '/projects/default/flags/checkout?environment=production'
    const page = await visit({ ...showcase.host.as('ann', path), viewport: { width: 1280, height: 860 } })
    await page.getByLabel('Rollout', { exact: true }).fill('75')
    await page.getByRole('heading', { name: 'It will need' }).waitFor()
    await page.getByText('Live', { exact: true }).waitFor()
    await page.screenshot({ path: join(folder, 'flag.png') })
  })
})
