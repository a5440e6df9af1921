import { useBrowser } from '../support/browser'
import { hands } from '../support/hands'
import { type PageHost, startHost } from '../support/host'
import { requestPath, requestScreen } from '../support/request-screen'
import { enable } from '../support/showcase'
import { expectText } from '../support/waits'

const browser = useBrowser()
let host: PageHost

beforeAll(async () => {
  host = await startHost()
})
afterAll(() => host.close())

const open = async (who: 'ann' | 'ben', id: number) => {
  const page = await browser.visit(host.as(who, requestPath(id)))
  const screen = requestScreen(page)
  await screen.state.waitFor()
  return { page, ...screen, votes: page.getByRole('region', { name: 'Votes' }) }
}

describe('asking reviewers', () => {
  it.each(hands)('$name: the reviewer finds it under "Asked of you"', async (hand) => {
    const [author, other] = hand.name === 'by mouse' ? (['fay', 'gus'] as const) : (['hal', 'ida'] as const)
    const [title, unasked] = [`Dark ${hand.name}`, `Checkout ${hand.name}`]
    const id = await host.inReview(enable('dark-mode'), title, author)
    await host.inReview(enable('checkout'), unasked, other)
    const page = await browser.visit({ ...host.as(author, requestPath(id)), viewport: { width: 320, height: 800 } })
    const { button, dialog } = requestScreen(page)
    await hand.press(button('Ask reviewers…'))
    const dan = dialog.getByRole('checkbox', { name: 'Dan Roe' })
    await dan.waitFor()
    expect(await dialog.getByRole('checkbox').count()).toBe(3)
    if (hand.name === 'by mouse') await dan.check()
    else {
      await dan.focus()
      await page.keyboard.press('Space')
    }
    await hand.press(button('Save', dialog))
    await dialog.waitFor({ state: 'detached' })
    await expectText(page.getByRole('region', { name: 'Votes' }), /Dan Roe.*asked, no vote yet/)

    const inbox = await browser.visit(host.as('dan'))
    const row = (text: string) => inbox.getByRole('listitem').filter({ has: inbox.getByRole('link', { name: text }) })
    await expectText(row(title), 'Asked of you')
    await row(unasked).waitFor()
    expect(await row(unasked).textContent()).not.toContain('Asked of you')
    await hand.press(inbox.getByRole('button', { name: 'Asked of you' }))
    await row(unasked).waitFor({ state: 'detached' })
    await row(title).waitFor()
    await hand.press(inbox.getByRole('button', { name: 'Remove filter Asked of you' }))
    await row(unasked).waitFor()
  })

  it('is in the activity with a name that only the log has, where the viewer can read it', async () => {
    const id = await host.inReview(enable('dark-mode'), 'Dark, says Cara', 'jon')
    await host.call('cara', 'PUT', `${requestPath(id)}/approvers`, { reviewers: [4] })
    for (const [who, asked] of [
      ['ben', 'Cara Mori asked Dan Roe to approve'],
      ['eve', 'cara@example.com asked Dan Roe to approve'],
    ] as const) {
      const page = await browser.visit(host.as(who, requestPath(id)))
      await expectText(page.getByRole('region', { name: 'Activity' }), asked)
    }
  })

  it('shows why it is denied, and is not offered to who can only approve', async () => {
    const id = await host.inReview(enable('new-search', false), 'Denied')
    const { button, dialog } = await open('ann', id)
    await button('Ask reviewers…').click()
    await dialog.getByRole('checkbox', { name: 'Ben Ode' }).check()
    host.take('ann', 'CREATE_CHANGE_REQUEST')
    await button('Save', dialog).click()
    await expectText(dialog, /You can't ask reviewers/)
    const ben = await open('ben', id)
    expect(await ben.button('Ask reviewers…').count()).toBe(0)
  })
})
