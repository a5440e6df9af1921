import { join } from 'node:path'
import { startServer, stopAll } from '../../package/support/child'
import { removeFolders, root, temporaryFolder } from '../../package/support/folders'
import { useBrowser } from '../support/browser'
import { requestScreen } from '../support/request-screen'
import { expectText } from '../support/waits'

const browser = useBrowser()

afterAll(async () => {
  await stopAll()
  removeFolders()
})

describe('the steps in examples/server/README.md, "On the page"', () => {
  it('propose, review and apply a rollout, and show the difference', async () => {
    const env = { DATABASE_URL: ':memory:' }
    const server = await startServer([join(root, 'examples/server/server.js')], { cwd: temporaryFolder(), env })
    const linkOf = (name: string) => new RegExp(`http:\\S+/as/${name}\\?code=\\S+`).exec(server.stdout())?.[0] ?? ''

    const ann = await browser.visit({ url: linkOf('ann') })
    await ann.goto(`${server.url}/flags/`)
    const field = ann.getByLabel('Rollout of checkout in production, %')
    const old = await field.inputValue()
    await field.fill('75')
    // The app sends the whole strategy.
    await field.locator('..').getByRole('button').click()
    await ann.getByRole('link', { name: /^Change request / }).click()
    await requestScreen(ann).button('Send to review').click()

    const ben = await browser.visit({ url: linkOf('ben') })
    await ben.getByRole('link', { name: /^Change request #1/ }).click()
    const { button, state, main } = requestScreen(ben)
    await button('Approve').first().click()
    await expectText(state, /Approved/)
    await button('Apply to production now').click()
    await expectText(state, /Applied/)

    await expectText(main.locator('.effects'), new RegExp(`${old}.% → 75.% of everybody`))
    const fields = main.locator('.change tbody').getByRole('rowheader')
    expect(await fields.allInnerTexts()).toEqual(['Rollout'])
  })
})
