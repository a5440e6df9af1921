import { join } from 'node:path'
import { useBrowser } from '../support/browser'
import { openScreen, screens } from '../support/screens'
import { type Showcase, startShowcase } from '../support/showcase'

const { visit } = useBrowser()
const folder = join(__dirname, 'taken')

const modes = [
  ['light', 1280, 'light'],
  ['dark', 1280, 'dark'],
  ['phone', 360, 'light'],
] as const

/** To look at: git ignores them, and no test compares them. */
describe.each(modes)('the pictures of all screens, %s', (mode, width, colorScheme) => {
  let showcase: Showcase
  beforeAll(async () => {
    showcase = await startShowcase()
  })
  afterAll(() => showcase.host.close())

  // Narrow screens have no button for the keys.
  const shown = screens.filter(([name]) => name !== 'keys' || width > 400)
  it.each(shown.map((screen) => [screen[0], screen] as const))('show %s', async (name, screen) => {
    const page = await visit({ ...showcase.host.as('ben', '/keys'), colorScheme, viewport: { width, height: 900 } })
    await openScreen(page, showcase, screen)
    await page.evaluate('document.fonts.ready')
    await page.screenshot({ path: join(folder, `${name}, ${mode}.png`), fullPage: true })
  })
})
