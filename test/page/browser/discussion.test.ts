import type { Page } from 'playwright-core'
import { findings } from '../support/axe'
import { useBrowser } from '../support/browser'
import { hands, hasFocus } from '../support/hands'
import { type PageHost, startHost } from '../support/host'
import type { PersonName } from '../support/people'
import { requestPath, requestScreen } from '../support/request-screen'
import { enable } from '../support/showcase'
import { expectText, until } from '../support/waits'

const browser = useBrowser()
const editing = /^PUT .*\/comments\/\d+$/
let host: PageHost
let id: number

beforeEach(async () => {
  host = await startHost()
  id = await host.inReview(enable('pay-by-card'), 'Cards')
})
afterEach(() => host.close())

const open = async (who: PersonName, { of = id, behind = false } = {}) => {
  const page = await browser.visit({ ...host.as(who, requestPath(of)), behind })
  const screen = requestScreen(page)
  await screen.say.waitFor()
  const activity = page.getByRole('region', { name: 'Activity' })
  return { page, ...screen, activity, field: page.getByRole('textbox', { name: 'Edit your comment' }) }
}

const texts = async () =>
  (await host.call<{ comments: { text: string }[] }>('eve', 'GET', requestPath(id))).comments.map(({ text }) => text)

const expectNoFindings = async (page: Page) => expect(await findings(page)).toEqual([])

describe.each(hands)('a comment on a change, $name', (hand) => {
  it('is written, edited, resolved, reopened and deleted, at the change and in the activity', async () => {
    const { page, main, activity, button, dialog, field } = await open('dan')
    const change = main.locator('[data-change]').first()
    await hand.press(button(/^Comment on/, change))
    await hand.write(page.getByRole('textbox', { name: /^Comment on/ }), 'Why nwo?')
    await hand.press(button(/^Comment$/, change))
    await expectText(activity, /Dan Roe.*Why nwo\?/)

    await hand.press(button(/^1 comment on/, change))
    await expectText(change, 'Why nwo?')
    await hand.press(button('Edit your comment', change))
    await expectNoFindings(page)
    await field.fill('')
    await hand.write(field, 'Why now?')
    await hand.press(button('Save', change))
    await expectText(activity, /edited.*Why now\?/)
    expect(await texts()).toEqual(['Why now?'])

    await hand.press(button('Resolve the comment of Dan Roe', activity))
    const folded = activity.locator('summary', { hasText: 'Resolved by Dan Roe' })
    await folded.waitFor()
    expect(await activity.getByText('Why now?').isVisible()).toBe(false)
    await expectNoFindings(page)
    await hand.press(folded)
    await hand.press(button('Reopen the comment of Dan Roe', activity))
    await folded.waitFor({ state: 'detached' })

    await hand.press(button('Delete your comment', activity))
    await expectText(dialog, 'Why now?')
    await hand.press(button('Delete the comment', dialog))
    await expectText(activity, /Comment deleted by Dan Roe/)
    await expectText(change, /Comment deleted by Dan Roe/)
    await expectNoFindings(page)
    expect([await texts(), await page.getByText('Why now?').count()]).toEqual([[], 0])
  })
})

describe('comments of other users', () => {
  it('have only the actions that the viewer is allowed to use', async () => {
    await host.comment('dan', id, 'Why now?')
    const tools = async (who: PersonName) => {
      const { activity } = await open(who)
      await activity.getByText('Why now?').waitFor()
      return activity.getByRole('article').getByRole('button').allInnerTexts()
    }
    expect([await tools('eve'), await tools('ann')]).toEqual([[], ['Resolve']])
  })
})

describe('the text of a comment', () => {
  it('is kept, with the reason, when another user has replied in the meantime', async () => {
    await host.comment('dan', id, 'Why now?')
    const { main, button, field, activity } = await open('dan', { behind: true })
    await button('Edit your comment').click()
    expect(await field.inputValue()).toBe('Why now?')
    await field.fill('Why today?')
    await host.comment('ann', id, 'Because of the sale.')
    await button('Save').click()
    await expectText(main, /Not possible now.*only until someone comments.*Your comment is kept/)
    expect([await field.inputValue(), await texts()]).toEqual(['Why today?', ['Why now?', 'Because of the sale.']])

    await expectText(activity, 'Because of the sale.')
    await button('Close', activity).first().click()
    await activity.getByText('Why now?').waitFor()
    expect(await button('Edit your comment').count()).toBe(0)
  })

  it('is kept when the comment cannot be deleted because another user has replied, and the reason is shown', async () => {
    await host.comment('dan', id, 'Why now?')
    const { button, dialog, activity } = await open('dan', { behind: true })
    await button('Delete your comment').click()
    await host.comment('ann', id, 'Because of the sale.')
    await button('Delete the comment', dialog).click()
    await expectText(dialog, /Not possible now.*only until someone comments/)
    expect(await texts()).toEqual(['Why now?', 'Because of the sale.'])
    await button('Keep the comment', dialog).click()
    await expectText(activity, 'Because of the sale.')
    expect(await button('Delete your comment').count()).toBe(0)
  })

  it('is sent again after a lost response, and survives a reload before that', async () => {
    await host.comment('dan', id, 'Why now?')
    const { page, button, field, activity } = await open('dan')
    await button('Edit your comment').click()
    await field.fill('Why today?')
    await page.reload()
    await button('Edit your comment').click()
    expect(await field.inputValue()).toBe('Why today?')
    host.loseOnce(editing)
    await button('Save').click()
    await expectText(activity, /edited.*Why today\?/)
    expect(await texts()).toEqual(['Why today?'])
  })

  it('is closed by Escape, and the focus returns to the comment', async () => {
    await host.comment('dan', id, 'Why now?')
    const { page, button, field, activity } = await open('dan')
    await button('Edit your comment').click()
    await field.press('Escape')
    const item = activity.getByRole('listitem').filter({ hasText: 'Why now?' })
    await until(() => hasFocus(item), 'the comment has the focus')
    // The link of the comment comes first.
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    expect(await hasFocus(button('Edit your comment'))).toBe(true)
  })
})

describe('addresses in a comment', () => {
  it('are links with the address as their text; everything else is text', async () => {
    const text =
      'See https://example.com/a?b=1&c=(d), javascript:alert(1)\n<a href="https://evil.example">x</a> https://a@evil.example \u202Ehttps://example.org/moc'
    await host.comment('dan', id, text)
    const { page, activity } = await open('ann')
    const said = activity.getByRole('article').locator('.said')
    await said.waitFor()
    expect(await said.textContent()).toBe(text.replace('\n', '↵\n').replace('\u202E', '[U+202E]'))
    const links = await said.locator('a').all()
    const found = links.map(async (link) => [
      await link.textContent(),
      await link.getAttribute('href'),
      await link.getAttribute('rel'),
    ])
    const rel = 'noopener noreferrer nofollow'
    expect(await Promise.all(found)).toEqual(
      ['https://example.com/a?b=1&c=(d)', 'https://evil.example', 'https://example.org/moc'].map((one) => [
        one,
        one,
        rel,
      ]),
    )
    expect(await said.locator('bdi[dir=ltr] > a').count()).toBe(3)
    await expectNoFindings(page)
  })
})

describe('asking reviewers', () => {
  it.each(hands)('$name: the reviewer finds it under "Asked of you"', async (hand) => {
    const [title, unasked] = ['Dark for all', 'The new checkout']
    const id = await host.inReview(enable('dark-mode'), title, 'fay')
    await host.inReview(enable('checkout'), unasked, 'gus')
    const page = await browser.visit({ ...host.as('fay', requestPath(id)), viewport: { width: 320, height: 800 } })
    const { button, dialog } = requestScreen(page)
    await hand.press(button('Ask reviewers…'))
    const dan = dialog.getByRole('checkbox', { name: 'Dan Roe' })
    await dan.waitFor()
    expect(await dialog.getByRole('checkbox').count()).toBe(3)
    await dan.focus()
    await page.keyboard.press('Space')
    await hand.press(button('Save', dialog))
    await dialog.waitFor({ state: 'detached' })
    await expectText(page.getByRole('region', { name: 'Votes' }), /Dan Roe.*asked, no vote yet/)

    const inbox = await browser.visit(host.as('dan'))
    const row = (text: string) => inbox.getByRole('listitem').filter({ has: inbox.getByRole('link', { name: text }) })
    await expectText(row(title), 'Asked of you')
    await row(unasked).waitFor()
    expect(await row(unasked).textContent()).not.toContain('Asked of you')
    await hand.press(inbox.getByText('Filter', { exact: true }))
    await hand.press(inbox.getByRole('button', { name: 'Asked of you' }))
    await row(unasked).waitFor({ state: 'detached' })
    await row(title).waitFor()
    await hand.press(inbox.getByRole('button', { name: 'Remove filter Asked of you' }))
    await row(unasked).waitFor()
  })

  it('is in the activity, with a name that only the log has if the viewer can read the log', async () => {
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

  it('shows why it is denied, and is not offered to users who can only approve', async () => {
    const id = await host.inReview(enable('new-search', false), 'Denied', 'noa')
    const { button, dialog } = await open('noa', { of: id })
    await button('Ask reviewers…').click()
    await dialog.getByRole('checkbox', { name: 'Ben Ode' }).check()
    host.take('noa', 'CREATE_CHANGE_REQUEST')
    await button('Save', dialog).click()
    await expectText(dialog, /You can't ask reviewers/)
    const ben = await open('ben', { of: id })
    expect(await ben.button('Ask reviewers…').count()).toBe(0)
  })
})

describe('a machine', () => {
  it('is marked in its changes and comments, with the user it acts for; users are not marked', async () => {
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
})
