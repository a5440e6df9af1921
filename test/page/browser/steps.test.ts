import type { Page } from 'playwright-core'
import type { ReviewView } from '../../../src/generated'
import { rewrite } from '../../support/rewrite'
import { useBrowser } from '../support/browser'
import { keyboard } from '../support/hands'
import { startHost } from '../support/host'
import type { PersonName } from '../support/people'
import { expectOff, reasonOf, requestPath, requestScreen } from '../support/request-screen'
import { enable, roll, type Showcase, startShowcase } from '../support/showcase'
import { expectText } from '../support/waits'

const browser = useBrowser()
let showcase: Showcase

beforeAll(async () => {
  showcase = await startShowcase()
})
afterAll(() => showcase.host.close())

const open = async (who: PersonName, id: number) => {
  const page = await browser.visit(showcase.host.as(who, requestPath(id)))
  const screen = requestScreen(page)
  await screen.state.waitFor()
  return { page, ...screen }
}

describe('the steps of a change request', () => {
  it('that are not possible are under "Other steps", with the messages of the server, each once', async () => {
    const { button, main, otherSteps, page } = await open('eve', showcase.review)
    const { steps } = await showcase.host.call<ReviewView>('eve', 'GET', `${requestPath(showcase.review)}/review`)
    const decision = page.getByRole('region', { name: 'Next step' })
    await expectText(decision, /Needs 1 more approval: anyone in payments\./)
    expect(await decision.getByRole('button').count()).toBe(0)
    await otherSteps.click()
    await decision.getByRole('heading', { name: 'Approve, Reject, Object', exact: true }).waitFor()
    const others = decision.getByRole('listitem')
    for (const name of ['approve', 'apply'] as const) {
      const [missing] = steps.find(({ step }) => step === name)?.missing ?? []
      expect(await others.getByText(missing?.message ?? 'nothing', { exact: true }).count()).toBe(1)
    }
    expect(await main.getByRole('button', { name: /^(Approve|Reject|Apply|Schedule)/ }).count()).toBe(0)
    expect(await button('Approve').count()).toBe(0)
  })

  it("are for an author first of all the next one; none is red, and the others' approval is asked for", async () => {
    const { button, page, main } = await open('ann', showcase.review)
    await expectText(page.getByRole('region', { name: 'You are the author' }), /Needs 1 more approval/)
    expect(await main.locator('.btn.primary').allInnerTexts()).toEqual(['Ask reviewers…'])
    expect(await main.locator('.danger, .danger-quiet').count()).toBe(0)
    await button('Cancel…').waitFor()
    await expectText(page.getByRole('region', { name: 'Requirements' }), /^(?!.*Missing)/s)
  })

  it('reject: says before the press and in its window that it closes the request', async () => {
    const { button, dialog } = await open('ben', showcase.overwrite)
    expect(await reasonOf(button('Reject…'))).toBe('Rejecting closes the request.')
    await button('Reject…').click()
    await expectText(dialog, /Reject and close #.*It cannot be reopened/)
    await button('Back to review', dialog).click()
  })

  it('emergency: needs a reason, is applied immediately, and waits for the acknowledgement of another user', async () => {
    const { button, dialog, state, main } = await open('cara', showcase.review)
    await button('Apply in emergency…').click()
    await expectOff(button('Apply to production without review', dialog))
    await dialog.getByRole('textbox').fill('Nobody can pay since 10:40.')
    expect(await showcase.host.stateOf(showcase.review)).toBe('In review')
    await button('Apply to production without review', dialog).click()
    await expectText(state, /Needs acknowledgement/)
    await expectText(main, /Nobody can pay since 10:40/)
    expect((await showcase.host.place('pay-by-card')).enabled).toBe(true)
  })

  it('acknowledge: takes the change request from the inbox', async () => {
    const { button, dialog, main } = await open('ben', showcase.emergency)
    await expectText(main, /Applied without approval: needs acknowledgement/)
    await button('Acknowledge…').first().click()
    await button(/^Acknowledge/, dialog).click()
    await expectText(main, /in an emergency and acknowledged/)
  })

  it('check again: settles an interrupted apply, and the next step is possible', async () => {
    let isKnown = false
    const outcome = async () => {
      if (isKnown) return null
      throw new Error('out of order')
    }
    const host = await startHost({ outcome })
    const id = await host.approved([enable('checkout')], 'Interrupted')
    const by = { person: { id: 2, username: 'Ben Ode', imageUrl: null }, signature: 'ben@example.com', ip: null }
    const startedAt = '2026-03-01T12:00:00.000Z'
    await rewrite(host.storage, id, () => ({ applying: { applyId: 'an-apply', startedAt, digest: 'sha256:0', by } }))
    const page = await browser.visit(host.as('ben', requestPath(id)))
    const { button, main } = requestScreen(page)
    await expectText(main, /The apply that .* began on .* was interrupted/)
    expect(await button('Apply to production now').count()).toBe(0)
    isKnown = true
    await button('Check again').click()
    await button('Apply to production now').waitFor()
    expect(host.received(/^POST .*\/settlement/)).toHaveLength(1)
    await host.close()
  })

  it('rebase: the author chooses what to keep, and approvals are void', async () => {
    const { button, main, page } = await open('hal', showcase.suspended)
    await page.getByRole('radio', { name: /Theirs/ }).check()
    await button(/^Rebase with/).click()
    await main.getByRole('heading', { name: /^Would undo/ }).waitFor({ state: 'detached' })
    expect(await showcase.host.stateOf(showcase.suspended)).not.toBe('Scheduled')
  })

  it("discard: the author's own change is not announced to them", async () => {
    const { host } = showcase
    const id = await host.inReview([enable('checkout', false), enable('new-search')], 'Two switches', 'cara')
    const { button, dialog, main, page } = await open('cara', id)
    await button(/^Discard .*/)
      .first()
      .click()
    await button('Discard the change', dialog).click()
    await expectText(page.getByRole('status'), 'The change was discarded.')
    await dialog.waitFor({ state: 'detached' })
    await button(/^Discard /)
      .nth(1)
      .waitFor({ state: 'detached' })
    expect(await main.getByText(/while you looked/).count()).toBe(0)
  })

  it('propose again: creates a draft from a rejected request', async () => {
    const { button, state, main } = await open('mia', showcase.rejected)
    await button('Propose again').click()
    await expectText(state, /Draft/)
    await expectText(main, /Copy of "Dark for all"/)
  })

  it('approve: an unseen comment does not stop it, and is shown after it', async () => {
    const { host } = showcase
    const id = await host.inReview(enable('dark-mode'), 'Comment meanwhile', 'lou')
    const { button, main } = await open('ben', id)
    await button('Approve').first().waitFor()
    await host.comment('ann', id, 'Wait for the translation.')
    await button('Approve').first().click()
    await expectText(main, /Comments that came before your approval/)
    await expectText(main, /Wait for the translation/)
    expect(await host.stateOf(id)).toBe('Approved')
  })

  it('approve: the comment is kept if another user closes the request first', async () => {
    const { host } = showcase
    const id = await host.inReview(enable('dark-mode'), 'Closed meanwhile', 'jon')
    const { button, main, comment, page } = await open('ben', id)
    await comment.fill('Fine, after lunch.')
    await host.setState('jon', id, 'Cancelled')
    const kept = page.getByRole('textbox', { name: /^Your comment, not sent yet/ })
    await kept.waitFor()
    expect(await kept.inputValue()).toBe('Fine, after lunch.')
    await button('Send as a comment').click()
    await main.getByRole('article').filter({ hasText: 'Fine, after lunch.' }).waitFor()
    await kept.waitFor({ state: 'detached' })
  })

  it('cancel: the author cancels', async () => {
    const { button, dialog, state } = await open('gus', showcase.conflict)
    await button('Cancel…').click()
    await button(/^Cancel/, dialog).click()
    await expectText(state, /Cancelled/)
  })
})

describe('from a proposal to a changed flag', () => {
  it('works by keyboard only, while other users watch', async () => {
    const host = await startHost()
    const changes = [enable('pay-by-card'), roll('pay-by-card', 'pay-by-card-few', '40')]
    const id = await host.propose(changes, 'Cards for two fifths')
    const path = requestPath(id)
    const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
    const state = (page: Page) => page.getByRole('list', { name: 'State' }).locator('[aria-current=step]')

    const ann = await browser.visit(host.as('ann', path))
    await keyboard.press(button(ann, 'Send to review'))
    await expectText(state(ann), /In review/)

    const ben = await browser.visit(host.as('ben'))
    await keyboard.press(ben.getByRole('link', { name: 'Cards for two fifths' }))
    await keyboard.press(button(ben, 'Approve'))
    await expectText(state(ben), /In review/)
    await expectText(ben.getByRole('main'), /Needs 1 more approval: anyone in payments\./)

    const dan = await browser.visit(host.as('dan', path))
    await keyboard.write(dan.getByLabel(/Comment with it/), 'Cards are ready.')
    await keyboard.press(button(dan, 'Approve'))
    await expectText(state(dan), /Approved/)
    await expectText(state(ann), /Approved/)
    await expectText(state(ben), /Approved/)
    expect((await host.place('pay-by-card')).enabled).toBe(false)

    await keyboard.press(button(ben, 'Schedule…'))
    await keyboard.press(button(ben, 'Tomorrow 07:00'))
    await keyboard.press(button(ben, /^Schedule for .* 07:00$/))
    await expectText(state(ben), /Scheduled/)
    await expectText(state(ann), /Scheduled/)

    const scheduled = await host.storage.find({ project: 'default' }, id)
    await host.runAt(new Date(scheduled?.changeRequest.schedule?.scheduledAt ?? ''))
    await expectText(state(ben), /Applied/)
    await expectText(state(ann), /Applied/)
    expect(await host.place('pay-by-card')).toMatchObject({
      enabled: true,
      strategies: [{ parameters: { rollout: '40' } }],
    })
    await host.close()
  })
})
