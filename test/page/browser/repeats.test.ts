import { useBrowser } from '../support/browser'
import { type PageHost, startHost } from '../support/host'
import { isOff, requestPath, requestScreen } from '../support/request-screen'
import { enable } from '../support/showcase'
import { expectText, until } from '../support/waits'

const browser = useBrowser()
let host: PageHost
let id: number

beforeEach(async () => {
  host = await startHost()
  id = await host.inReview(enable('checkout'), 'The new checkout')
})
afterEach(() => host.close())

interface Discussion {
  readonly approvals: readonly unknown[]
  readonly comments: readonly { readonly text: string }[]
}

const read = () => host.call<Discussion>('ben', 'GET', requestPath(id))

describe('a step', () => {
  it('says at once that it is under way, and is not sent twice by two presses', async () => {
    const page = await browser.visit(host.as('ben', requestPath(id)))
    const { button, state } = requestScreen(page)
    const width = (await button('Approve').boundingBox())?.width
    const release = host.hold(/^PUT .*\/state/)
    await button('Approve').click()
    const busy = button('Approving…')
    await busy.waitFor()
    expect(await busy.getAttribute('aria-busy')).toBe('true')
    expect(await isOff(busy)).toBe(true)
    expect((await busy.boundingBox())?.width).toBe(width)
    await busy.click({ force: true })
    release()
    await expectText(state, /Approved/)
    expect(host.received(/^PUT .*\/state/)).toHaveLength(1)
  })

  it('whose answer got lost is found done, and told as done', async () => {
    const page = await browser.visit(host.as('ben', requestPath(id)))
    const { button, state } = requestScreen(page)
    await button('Approve').waitFor()
    host.loseOnce(/^PUT .*\/state/)
    await button('Approve').click()
    await page.getByText('You approved it').waitFor({ state: 'attached' })
    await expectText(state, /Approved/)
    await page.getByText(/nothing was changed/).waitFor({ state: 'detached' })
    expect((await read()).approvals).toHaveLength(1)
  })
})

describe('a rejection', () => {
  it('before which another user commented rejects nothing, shows why, and the next press counts', async () => {
    const cards = await host.inReview(enable('pay-by-card'), 'Cards', 'fay')
    const page = await browser.visit({ ...host.as('dan', requestPath(cards)), behind: true })
    const { button, dialog, main, state } = requestScreen(page)
    await button('Reject…').click()
    await dialog.getByRole('textbox').fill('Not before Friday.')
    await host.comment('ann', cards, 'Support knows of it.')
    await button(/^Reject/, dialog).click()
    await expectText(main, /nothing was changed.*voted or commented in the meantime/)
    expect(await host.stateOf(cards)).toBe('In review')
    await button(/^Reject/, dialog).click()
    await expectText(state, /Rejected/)
  })
})

describe('a comment', () => {
  it('whose answer got lost is written once', async () => {
    const page = await browser.visit(host.as('ben', requestPath(id)))
    const { button, say, main } = requestScreen(page)
    const end = host.lose(/^POST .*\/comments/)
    await say.fill('Who tells support?')
    await button('Comment').last().click()
    await expectText(main, /Retrying is safe/)
    expect((await read()).comments).toHaveLength(1)
    const release = host.hold(/^POST .*\/comments/)
    end()
    await button('Retry now').click()
    release()
    await main.getByRole('article').filter({ hasText: 'Who tells support?' }).waitFor()
    await until(async () => (await say.inputValue()) === '', 'the field is empty')
    expect((await read()).comments).toHaveLength(1)
    const keys = host.received(/^POST .*\/comments/).map(({ headers }) => headers['idempotency-key'])
    expect(keys.length).toBeGreaterThan(1)
    expect(new Set(keys).size).toBe(1)
  })
})
